//! The tree as text, for `quod show --ast`: one node a line, indented by depth, with its place.
//!
//! ```text
//! while 3:3
//!   condition: binary `<` 3:10
//!     identifier `i` 3:10
//!     integer 10 3:14
//!   body: block 3:18
//! ```
//!
//! The walk keeps its own stack, so that deep trees need no deep recursion.

mod declarations;
mod expressions;
mod statements;

use super::*;
use quod_base::SourceMap;
use std::fmt::Write;

/// Lines deeper than this are not indented further: the text of a deep tree stays linear in its size.
const MAX_INDENT: usize = 120;

/// All items of a unit. Nodes that came through macros are shown where the macro is used.
pub fn dump(unit: &TranslationUnit, source_map: &SourceMap) -> String {
    let mut dumper = Dumper { unit, source_map, out: String::new(), children: Vec::new(), stack: Vec::new() };
    for &item in &unit.items {
        dumper.run(Node::Stmt(item));
    }
    dumper.out
}

#[derive(Copy, Clone)]
enum Node {
    Stmt(StmtId),
    Expr(ExprId),
    Declaration(DeclarationId),
    Specifiers(SpecifiersId),
    Declarator(DeclaratorId),
    InitDeclarator(InitDeclaratorId),
    Initializer(InitializerId),
    Designator(DesignatorId),
    Parameter(ParameterId),
    TypeName(TypeNameId),
    Member(MemberId),
    MemberDeclarator(MemberDeclaratorId),
    Enumerator(EnumeratorId),
    Attribute(AttributeId),
    AsmOperand(AsmOperandId),
    Association(AssociationId),
    Binder(BinderId),
    Clause(ClauseId),
    Name(NameId),
    String(StringId),
    Annotation(AnnotationId),
}

struct Dumper<'a> {
    unit: &'a TranslationUnit,
    source_map: &'a SourceMap,
    out: String,
    /// Of the node that is being written.
    children: Vec<(&'static str, Node)>,
    stack: Vec<(usize, &'static str, Node)>,
}

impl Dumper<'_> {
    fn run(&mut self, root: Node) {
        self.stack.push((0, "", root));
        while let Some((depth, role, node)) = self.stack.pop() {
            for _ in 0..depth.min(MAX_INDENT) {
                self.out.push_str("  ");
            }
            if !role.is_empty() {
                self.text(role);
                self.out.push_str(": ");
            }
            match node {
                Node::Stmt(id) => self.stmt(id),
                Node::Expr(id) => self.expr(id),
                _ => self.other(node),
            }
            self.out.push('\n');
            for (role, child) in self.children.drain(..).rev() {
                self.stack.push((depth + 1, role, child));
            }
        }
    }

    fn other(&mut self, node: Node) {
        match node {
            Node::AsmOperand(id) => {
                let operand = self.unit[id];
                self.text("operand");
                if let Some(name) = operand.name {
                    self.quoted(name.symbol);
                }
                self.child("constraint", Node::String(operand.constraint));
                self.child("", Node::Expr(operand.value));
            }
            Node::Association(id) => {
                let association = self.unit[id];
                self.text(if association.ty.is_some() { "case" } else { "default" });
                if let Some(ty) = association.ty {
                    self.child("", Node::TypeName(ty));
                }
                self.child("", Node::Expr(association.value));
            }
            Node::Binder(id) => {
                let binder = self.unit[id];
                self.text("binder");
                self.child("", Node::Specifiers(binder.specifiers));
                self.list("", binder.declarators, Node::Declarator);
                self.optional("domain", binder.domain.map(Node::Expr));
            }
            Node::Clause(id) => {
                let clause = self.unit[id];
                self.text(clause.kind.keyword());
                self.place(clause.span);
                self.optional("condition", clause.condition.map(Node::Expr));
                self.list("", clause.arguments, Node::Expr);
            }
            Node::Name(id) => {
                self.text("name");
                self.quoted(self.unit[id].symbol);
            }
            Node::String(id) => {
                let text = string_text(&self.unit[id]);
                self.text(&text);
            }
            Node::Annotation(id) => {
                let span = self.unit[id].span;
                let text = self.source_map.text(span).unwrap_or_default().replace('\n', " ");
                self.text("annotation ");
                self.text(&text);
                self.place(span);
            }
            _ => self.declaration_node(node),
        }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn quoted(&mut self, text: impl std::fmt::Display) {
        let _ = write!(self.out, " `{text}`");
    }

    /// ` line:column`, as people count.
    fn place(&mut self, span: Span) {
        let site = self.source_map.use_site(span);
        if let Some(place) = self.source_map.place(site.lo) {
            let _ = write!(self.out, " {}:{}", place.line, place.column);
        }
    }

    fn child(&mut self, role: &'static str, node: Node) {
        self.children.push((role, node));
    }

    fn optional(&mut self, role: &'static str, node: Option<Node>) {
        self.children.extend(node.map(|node| (role, node)));
    }

    fn list<I: Id>(&mut self, role: &'static str, list: List<I>, node: impl Fn(I) -> Node) {
        self.children.extend(self.unit.list(list).map(|id| (role, node(id))));
    }
}

/// A string as C writes it.
fn string_text(string: &StringLiteral) -> String {
    let mut text = format!("string {}\"", string.encoding.as_str());
    for index in 0..string.len() {
        let element = string.element(index).unwrap_or_default();
        match char::from_u32(element) {
            Some('\n') => text.push_str("\\n"),
            Some(c @ ('"' | '\\')) => text.extend(['\\', c]),
            Some(c @ ' '..='~') => text.push(c),
            _ => {
                let _ = write!(text, "\\x{element:02x}");
            }
        }
    }
    text.push('"');
    text
}
