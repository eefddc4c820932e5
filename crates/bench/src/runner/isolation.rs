//! Isolation by namespaces: no network, own process numbers, and a private view of the file system in which everything
//! can be read and what is written vanishes with the run (or is read-only, where the kernel cannot overlay).

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
    /// Writes go to a layer in memory.
    Overlay,
    /// Only the run's own directory and the one for temporary files can be written.
    ReadOnly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isolation {
    pub files: Files,
    pub has_network: bool,
}

impl Isolation {
    pub fn describe(self) -> String {
        let files = match self.files {
            Files::Overlay => "overlay file system",
            Files::ReadOnly => "read-only file system",
        };
        let network = if self.has_network { "network" } else { "no network" };
        format!("namespaces ({files}, private temporary files, {network})")
    }

    pub(super) fn flags(self) -> libc::c_int {
        let mut flags = libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWIPC;
        if !self.has_network {
            flags |= libc::CLONE_NEWNET;
        }
        if !is_superuser() {
            flags |= libc::CLONE_NEWUSER;
        }
        flags
    }
}

pub(super) fn is_superuser() -> bool {
    // SAFETY: no arguments, no memory.
    unsafe { libc::geteuid() == 0 }
}

/// One system call of the set-up, ready to be made between fork and exec.
#[derive(Clone)]
pub(super) enum Step {
    Directory(CString),
    Mount {
        source: Option<CString>,
        target: CString,
        kind: Option<CString>,
        flags: libc::c_ulong,
        data: Option<CString>,
    },
    /// Like `Mount`, but nothing is lost where it does not work.
    Try {
        source: CString,
        target: CString,
        kind: Option<CString>,
        flags: libc::c_ulong,
        is_read_only: bool,
    },
    ReadOnly(CString),
}

impl Step {
    /// Zero on success. SAFETY of the calls: all strings are owned and end with zero.
    pub(super) fn run(&self) -> libc::c_int {
        let pointer = |text: &Option<CString>| text.as_ref().map_or(std::ptr::null(), |text| text.as_ptr());
        // SAFETY: see above.
        unsafe {
            match self {
                Step::Directory(path) => match libc::mkdir(path.as_ptr(), 0o777) {
                    0 => libc::chmod(path.as_ptr(), 0o1777),
                    _ if *libc::__errno_location() == libc::EEXIST => 0,
                    other => other,
                },
                Step::Mount { source, target, kind, flags, data } => {
                    libc::mount(pointer(source), target.as_ptr(), pointer(kind), *flags, pointer(data).cast())
                }
                Step::Try { source, target, kind, flags, is_read_only } => {
                    libc::mount(source.as_ptr(), target.as_ptr(), pointer(kind), *flags, std::ptr::null());
                    if *is_read_only {
                        make_read_only(target);
                    }
                    0
                }
                Step::ReadOnly(path) => make_read_only(path),
            }
        }
    }

    pub(super) fn describe(&self) -> String {
        match self {
            Step::Directory(path) => format!("make {}", path.to_string_lossy()),
            Step::Mount { target, kind, .. } => {
                let kind = kind.as_ref().map_or("bind".into(), |kind| kind.to_string_lossy().into_owned());
                format!("mount {kind} on {}", target.to_string_lossy())
            }
            Step::Try { target, .. } => format!("bind {}", target.to_string_lossy()),
            Step::ReadOnly(path) => format!("make {} read-only", path.to_string_lossy()),
        }
    }
}

/// A mount and all below it. SAFETY of the call: the path ends with zero, the structure is plain data.
fn make_read_only(path: &CString) -> libc::c_int {
    let attributes = libc::mount_attr { attr_set: libc::MOUNT_ATTR_RDONLY, attr_clr: 0, propagation: 0, userns_fd: 0 };
    // SAFETY: see above.
    unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            libc::AT_RECURSIVE,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        ) as libc::c_int
    }
}

/// The private view of one run.
pub(super) struct View {
    pub(super) steps: Vec<Step>,
    pub(super) root: PathBuf,
    /// Where writes are found afterwards, in the supervisor's view: for each mount point the folder that mirrors it.
    pub(super) written: Vec<(PathBuf, PathBuf)>,
}

fn text(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}

/// File systems of which a private copy can be made; others (devices, control groups) are shown read-only.
const DISKS: &[&str] =
    &["ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "overlay", "nfs", "nfs4", "tmpfs", "vfat"];

/// `scratch` is an empty directory of this run; `needed` must stay visible although it lies under `/tmp`.
pub(super) fn view(files: Files, scratch: &Path, bytes: Option<u64>, private: &Path, needed: &[PathBuf]) -> View {
    let root = scratch.join("root");
    let mut steps = Vec::new();
    let mount = |source: Option<&Path>, target: &Path, kind: Option<&str>, flags, data: Option<String>| Step::Mount {
        source: source.map(text),
        target: text(target),
        kind: kind.and_then(|kind| CString::new(kind).ok()),
        flags,
        data: data.and_then(|data| CString::new(data).ok()),
    };
    steps.push(mount(None, Path::new("/"), None, libc::MS_REC | libc::MS_PRIVATE, None));
    let size = bytes.map(|bytes| format!("size={bytes},mode=755")).unwrap_or_else(|| "mode=755".to_string());
    steps.push(mount(Some(Path::new("tmpfs")), scratch, Some("tmpfs"), libc::MS_NOSUID | libc::MS_NODEV, Some(size)));
    for name in ["root", "temporary", "private"] {
        steps.push(Step::Directory(text(&scratch.join(name))));
    }
    let in_root = |path: &Path| root.join(path.strip_prefix("/").unwrap_or(path));
    let temporary = Path::new("/tmp");
    let is_needed = |folder: &Path| needed.iter().any(|path| path.starts_with(folder));
    let mut written = vec![(private.to_path_buf(), scratch.join("private"))];
    match files {
        Files::Overlay => {
            let mut bound: Vec<PathBuf> = Vec::new();
            for (target, kind) in mounts() {
                let is_covered = bound.iter().any(|other| target.starts_with(other));
                if is_covered || target.starts_with("/proc") || target.starts_with("/dev") {
                    continue;
                }
                if scratch.starts_with(&target) && target != Path::new("/") && kind == "tmpfs" {
                    // Its own scratch lies there; an overlay of it would contain itself.
                    steps.push(shown(&target, &in_root(&target)));
                    bound.push(target);
                    continue;
                }
                let is_disk =
                    DISKS.contains(&kind.as_str()) && !target.starts_with("/sys") && !target.starts_with("/run");
                if target == Path::new("/") || is_disk {
                    let upper = scratch.join(format!("written{}", written.len()));
                    let work = scratch.join(format!("work{}", written.len()));
                    steps.push(Step::Directory(text(&upper)));
                    steps.push(Step::Directory(text(&work)));
                    let private = if is_superuser() { "" } else { ",userxattr" };
                    let data = format!(
                        "lowerdir={},upperdir={},workdir={}{private}",
                        escape(&target),
                        escape(&upper),
                        escape(&work)
                    );
                    steps.push(mount(Some(Path::new("overlay")), &in_root(&target), Some("overlay"), 0, Some(data)));
                    written.push((target, upper));
                } else {
                    steps.push(shown(&target, &in_root(&target)));
                    bound.push(target);
                }
            }
            let dev = |source: &std::ffi::CStr, place: &str, kind: Option<CString>, flags| Step::Try {
                source: source.into(),
                target: text(&in_root(Path::new(place))),
                kind,
                flags,
                is_read_only: false,
            };
            steps.push(dev(c"/dev", "/dev", None, libc::MS_BIND | libc::MS_REC));
            // Shared memory is private as well.
            steps.push(dev(c"tmpfs", "/dev/shm", Some(c"tmpfs".into()), libc::MS_NOSUID | libc::MS_NODEV));
        }
        Files::ReadOnly => {
            steps.push(mount(Some(Path::new("/")), &root, None, libc::MS_BIND | libc::MS_REC, None));
            steps.push(Step::ReadOnly(text(&root)));
        }
    }
    if !is_needed(temporary) {
        steps.push(mount(Some(&scratch.join("temporary")), &in_root(temporary), None, libc::MS_BIND, None));
        // The run's own directory may lie there; its place must exist in the fresh one.
        let mut place = temporary.to_path_buf();
        for part in private.strip_prefix(temporary).unwrap_or(Path::new("")).components() {
            place.push(part);
            steps.push(Step::Directory(text(&in_root(&place))));
        }
    }
    // The run's own directory is the same path inside and outside.
    steps.push(mount(Some(&scratch.join("private")), &in_root(private), None, libc::MS_BIND, None));
    View { steps, root, written }
}

/// A mount as it is outside, with what is mounted below it, but not to be written.
fn shown(target: &Path, place: &Path) -> Step {
    let flags = libc::MS_BIND | libc::MS_REC;
    Step::Try { source: text(target), target: text(place), kind: None, flags, is_read_only: true }
}

fn escape(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "\\\\").replace(',', "\\,").replace(':', "\\:")
}

/// Mount points and kinds, parents first; of several mounts at one place the last counts.
fn mounts() -> Vec<(PathBuf, String)> {
    let text = std::fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let mut all: Vec<(PathBuf, String)> = Vec::new();
    for line in text.lines() {
        let mut parts = line.split(' ').skip(1);
        if let (Some(path), Some(kind)) = (parts.next(), parts.next()) {
            let path = PathBuf::from(path.replace("\\040", " "));
            all.retain(|(other, _)| *other != path);
            all.push((path, kind.to_string()));
        }
    }
    if !all.iter().any(|(path, _)| path == Path::new("/")) {
        all.push((PathBuf::from("/"), "unknown".to_string()));
    }
    all.sort_by_key(|(path, _)| path.components().count());
    all
}
