//! Random structs, unions and bit-fields: does `quod run` see the sizes, alignments and positions that gcc gives them?
//!
//! `cargo xtask layout-fuzz [--count 10000] [--seed 1]`. Each program declares some records and prints what the compiler
//! makes of them; bit-fields show their place by the bits that writing all ones sets.

use crate::random::Random;
use crate::shell;
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const RECORDS_A_PROGRAM: u64 = 50;

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let count = shell::number_option(arguments, "--count", 10_000)?;
    let seed = shell::number_option(arguments, "--seed", 1)?;
    let quod = shell::release_binary()?;
    let folder = std::env::temp_dir().join(format!("quod-layout-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (mut checked, mut differences) = (0, 0);
    for program in 0..count.div_ceil(RECORDS_A_PROGRAM) {
        for (model, flag) in [("LP64", "-m64"), ("ILP32", "-m32")] {
            let text = generate(&mut Random::new(seed.wrapping_mul(1_000_003) + program), model == "LP64");
            let source = folder.join(format!("layout-{program}-{model}.c"));
            std::fs::write(&source, text)?;
            let expected = gcc_output(&source, flag, &folder)?;
            let ours = output(Command::new(&quod).args(["run", "--data-model", model]).arg(&source))?;
            if ours != expected {
                differences += 1;
                let line = expected.lines().zip(ours.lines()).find(|(left, right)| left != right);
                println!("differs: {} {line:?}", source.display());
            } else {
                std::fs::remove_file(&source)?;
            }
        }
        checked += RECORDS_A_PROGRAM;
        if program % 20 == 19 {
            println!("{checked} declarations in both data models, {differences} programs differ");
        }
    }
    if differences > 0 {
        bail!("{differences} programs differ; they are in {}", folder.display());
    }
    std::fs::remove_dir_all(&folder)?;
    println!("{checked} declarations in both data models: all as gcc lays them out");
    Ok(())
}

fn gcc_output(source: &Path, flag: &str, folder: &Path) -> Result<String> {
    let binary = folder.join("layout.out");
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-Wno-packed-bitfield-compat", "-O0", flag, "-o"]).arg(&binary).arg(source);
    if !gcc.status().context("cannot start gcc")?.success() {
        bail!("gcc rejects {}", source.display());
    }
    output(&mut Command::new(&binary))
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A program that declares records and prints their layouts.
fn generate(random: &mut Random, is_lp64: bool) -> String {
    let mut generator = Generator { random, is_lp64, declarations: String::new(), main: String::new(), records: 0 };
    for _ in 0..RECORDS_A_PROGRAM {
        generator.record();
    }
    format!(
        "#include <stdio.h>\n#include <string.h>\n#include <stddef.h>\n\
         static void bits(const char *name, const unsigned char *p, unsigned long n) {{\n\
         \x20   for (unsigned long i = 0; i < n * 8; i++)\n\
         \x20       if (p[i / 8] >> i % 8 & 1) {{ printf(\" %s@%lu\", name, i); break; }}\n}}\n\
         {}int main(void) {{\n{}    return 0;\n}}\n",
        generator.declarations, generator.main
    )
}

struct Generator<'r> {
    random: &'r mut Random,
    is_lp64: bool,
    declarations: String,
    main: String,
    records: u64,
}

const SCALARS: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "long double",
    "_Bool",
    "void *",
    "int (*)[3]",
    "E",
    "_Complex double",
    "_Complex float",
];

const BIT_TYPES: &[(&str, u64)] = &[
    ("int", 32),
    ("unsigned", 32),
    ("unsigned char", 8),
    ("signed char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("long", 32),
    ("unsigned long", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("E", 32),
];

impl Generator<'_> {
    fn record(&mut self) {
        let id = self.records;
        self.records += 1;
        if id == 0 {
            self.declarations.push_str("typedef enum { E0, E1 = 100000 } E;\n");
        }
        let is_union = self.random.one_in(4);
        let pack = self.random.one_in(8).then(|| *self.random.choose(&[1, 2, 4, 8]));
        if let Some(pack) = pack {
            let _ = writeln!(self.declarations, "#pragma pack(push, {pack})");
        }
        let mut text = format!("typedef {} T{id} {{\n", if is_union { "union" } else { "struct" });
        let mut prints = String::new();
        let members = self.random.below(9);
        for member in 0..members {
            self.member(id, member, &mut text, &mut prints);
        }
        let mut attributes = Vec::new();
        if self.random.one_in(6) {
            attributes.push("packed".to_owned());
        }
        if self.random.one_in(8) {
            attributes.push(format!("aligned({})", 1 << self.random.below(6)));
        }
        let attributes = match attributes.is_empty() {
            true => String::new(),
            false => format!(" __attribute__(({}))", attributes.join(", ")),
        };
        // Attributes behind the brace belong to the record itself.
        let _ = writeln!(text, "}}{attributes} T{id};");
        self.declarations.push_str(&text);
        if pack.is_some() {
            self.declarations.push_str("#pragma pack(pop)\n");
        }
        let _ = writeln!(
            self.main,
            "    {{ T{id} x; (void)x; printf(\"T{id} %lu %lu %lu\", (unsigned long)sizeof(T{id}), \
             (unsigned long)_Alignof(T{id}), (unsigned long)__alignof__(T{id}));\n{prints}      printf(\"\\n\"); }}"
        );
    }

    fn member(&mut self, record: u64, member: u64, text: &mut String, prints: &mut String) {
        let attribute = if self.random.one_in(10) {
            " __attribute__((packed))".to_owned()
        } else if self.random.one_in(10) {
            format!(" __attribute__((aligned({})))", 1 << self.random.below(6))
        } else {
            String::new()
        };
        if self.random.one_in(3) {
            let &(ty, bits) = self.random.choose(BIT_TYPES);
            let bits = if self.is_lp64 && ty.ends_with("long") { 64 } else { bits };
            let width = 1 + self.random.below(bits);
            if self.random.one_in(6) {
                let width = if self.random.one_in(2) { 0 } else { width };
                let _ = writeln!(text, "    {ty} : {width};");
                return;
            }
            let _ = writeln!(text, "    {ty} m{member} : {width}{attribute};");
            let _ = writeln!(
                prints,
                "      memset(&x, 0, sizeof x); x.m{member} = -1; bits(\"m{member}\", (unsigned char *)&x, sizeof x);"
            );
            return;
        }
        let array = match self.random.below(6) {
            0 => format!("[{}]", 1 + self.random.below(4)),
            1 if self.random.one_in(4) => "[0]".to_owned(),
            _ => String::new(),
        };
        if record > 0 && self.random.one_in(4) {
            let inner = self.random.below(record);
            let _ = writeln!(text, "    T{inner} m{member}{array}{attribute};");
        } else {
            match *self.random.choose(SCALARS) {
                "int (*)[3]" => {
                    let _ = writeln!(text, "    int (*m{member})[3]{attribute};");
                }
                ty => {
                    let _ = writeln!(text, "    {ty} m{member}{array}{attribute};");
                }
            }
        }
        let _ = writeln!(
            prints,
            "      printf(\" m{member}+%lu/%lu\", (unsigned long)offsetof(T{record}, m{member}), \
             (unsigned long)sizeof(x.m{member}));"
        );
    }
}
