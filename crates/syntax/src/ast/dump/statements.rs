//! Statements of the dump.

use super::*;

impl Dumper<'_> {
    pub(super) fn stmt(&mut self, id: StmtId) {
        let stmt = self.unit[id];
        let annotations = self.unit.annotations_at(Target::Statement(id));
        self.list("", annotations, Node::Annotation);
        use StmtKind as K;
        match stmt.kind {
            K::Error => self.text("error"),
            K::Empty => self.text("empty"),
            K::Expression(expr) => self.node("expression", &[("", Node::Expr(expr))]),
            K::Declaration(declaration) => {
                self.text("declaration");
                self.declaration_children(declaration);
            }
            K::Function(function) => self.function(function),
            K::StaticAssert { condition, message } => {
                self.node("static assert", &[("", Node::Expr(condition))]);
                self.optional("", message.map(Node::String));
            }
            K::Block { statements, .. } => {
                self.text("block");
                self.list("", statements, Node::Stmt);
            }
            K::If { condition, then, otherwise, .. } => {
                self.node("if", &[("condition", Node::Expr(condition)), ("then", Node::Stmt(then))]);
                self.optional("else", otherwise.map(Node::Stmt));
            }
            K::While { condition, body, .. } => {
                self.node("while", &[("condition", Node::Expr(condition)), ("body", Node::Stmt(body))]);
            }
            K::Do { body, condition, .. } => {
                self.node("do", &[("body", Node::Stmt(body)), ("condition", Node::Expr(condition))]);
            }
            K::For { initial, condition, step, body, .. } => {
                self.text("for");
                self.optional("initial", initial.map(Node::Stmt));
                self.optional("condition", condition.map(Node::Expr));
                self.optional("step", step.map(Node::Expr));
                self.child("body", Node::Stmt(body));
            }
            K::Switch { condition, body, .. } => {
                self.node("switch", &[("condition", Node::Expr(condition)), ("body", Node::Stmt(body))]);
            }
            K::Case { low, high, body } => {
                self.node("case", &[("value", Node::Expr(low))]);
                self.optional("to", high.map(Node::Expr));
                self.child("", Node::Stmt(body));
            }
            K::Default { body } => self.node("default", &[("", Node::Stmt(body))]),
            K::Labeled { label, attributes, body } => {
                self.text("label");
                self.quoted(label.symbol);
                self.list("", attributes, Node::Attribute);
                self.child("", Node::Stmt(body));
            }
            K::LocalLabels(names) => {
                self.text("local labels");
                self.list("", names, Node::Name);
            }
            K::Goto(label) => {
                self.text("goto");
                self.quoted(label.symbol);
            }
            K::GotoComputed(expr) => self.node("goto", &[("", Node::Expr(expr))]),
            K::Break => self.text("break"),
            K::Continue => self.text("continue"),
            K::Return(value) => {
                self.text("return");
                self.optional("", value.map(Node::Expr));
            }
            K::Asm(asm) => self.asm(asm),
            K::Pragma(pragma) => {
                self.text("pragma");
                self.quoted(self.unit[pragma].text);
            }
            K::Attributes(attributes) => {
                self.text("attributes");
                self.list("", attributes, Node::Attribute);
            }
            _ => self.civl_stmt(stmt.kind),
        }
        self.place(stmt.span);
        if let Some(&clauses) = self.unit.loop_clauses.get(&id) {
            self.list("", clauses, Node::Clause);
        }
        let at_end = self.unit.annotations_at(Target::EndOf(id));
        self.list("at the end", at_end, Node::Annotation);
    }

    fn civl_stmt(&mut self, kind: StmtKind) {
        use StmtKind as K;
        match kind {
            K::When { guard, body, .. } => {
                self.node("$when", &[("guard", Node::Expr(guard)), ("body", Node::Stmt(body))]);
            }
            K::Choose { alternatives, .. } => {
                self.text("$choose");
                self.list("", alternatives, Node::Stmt);
            }
            K::Atomic { body, .. } => self.node("$atomic", &[("", Node::Stmt(body))]),
            K::Atom { body, .. } => self.node("$atom", &[("", Node::Stmt(body))]),
            K::Run { body, .. } => self.node("$run", &[("", Node::Stmt(body))]),
            K::DomainFor { binder, body, .. } => {
                self.node("$for", &[("", Node::Binder(binder)), ("body", Node::Stmt(body))]);
            }
            K::ParallelFor { binder, body, .. } => {
                self.node("$parfor", &[("", Node::Binder(binder)), ("body", Node::Stmt(body))]);
            }
            K::Invariant { condition, .. } => self.node("$invariant", &[("", Node::Expr(condition))]),
            _ => self.text("statement"),
        }
    }

    fn asm(&mut self, id: AsmId) {
        let asm = self.unit[id];
        self.text("asm");
        for (is_set, word) in [
            (asm.is_volatile, " volatile"),
            (asm.is_inline, " inline"),
            (asm.is_goto, " goto"),
            (asm.is_basic, " basic"),
        ] {
            self.text(if is_set { word } else { "" });
        }
        self.optional("template", asm.template.map(Node::String));
        self.list("output", asm.outputs, Node::AsmOperand);
        self.list("input", asm.inputs, Node::AsmOperand);
        self.list("clobber", asm.clobbers, Node::String);
        self.list("label", asm.labels, Node::Name);
    }
}
