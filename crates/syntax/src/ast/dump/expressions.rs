//! Expressions of the dump.

use super::*;

impl Dumper<'_> {
    pub(super) fn expr(&mut self, id: ExprId) {
        let expr = self.unit[id];
        use ExprKind as K;
        match expr.kind {
            K::Error => self.text("error"),
            K::Identifier(symbol) => {
                self.text("identifier");
                self.quoted(symbol);
            }
            K::Integer(literal) => {
                let _ = write!(self.out, "integer {}", literal.value());
                self.text(if literal.is_unsigned { "u" } else { "" });
                self.text(match literal.size {
                    IntegerSize::None => "",
                    IntegerSize::Long => "l",
                    IntegerSize::LongLong => "ll",
                    IntegerSize::BitInt => "wb",
                });
                self.text(if literal.is_imaginary { "i" } else { "" });
            }
            K::Float(literal) => {
                let _ = write!(self.out, "float {}", literal.text);
                if literal.suffix != FloatSuffix::None {
                    let _ = write!(self.out, " {:?}", literal.suffix);
                }
                self.text(if literal.is_imaginary { " imaginary" } else { "" });
            }
            K::Character(literal) => {
                let _ = write!(self.out, "character {}{}", literal.encoding.as_str(), literal.value);
            }
            K::String(string) => {
                let text = string_text(&self.unit[string]);
                self.text(&text);
            }
            K::Boolean(value) => self.text(if value { "true" } else { "false" }),
            K::Nullptr => self.text("nullptr"),
            K::Parenthesized(inner) => self.node("parentheses", &[("", Node::Expr(inner))]),
            K::Unary { op, operand, .. } => {
                self.text(if op.is_postfix() { "postfix" } else { "prefix" });
                self.quoted(op.symbol());
                self.child("", Node::Expr(operand));
            }
            K::Binary { op, left, right, .. } => {
                self.text("binary");
                self.quoted(op.symbol());
                self.child("", Node::Expr(left));
                self.child("", Node::Expr(right));
            }
            K::Assign { op, target, value, .. } => {
                let _ = write!(self.out, "assign `{}=`", op.map_or("", BinaryOp::symbol));
                self.child("", Node::Expr(target));
                self.child("", Node::Expr(value));
            }
            K::Comma { left, right, .. } => self.node("comma", &[("", Node::Expr(left)), ("", Node::Expr(right))]),
            K::Conditional { condition, then, otherwise, .. } => {
                self.text("conditional");
                self.child("condition", Node::Expr(condition));
                self.optional("then", then.map(Node::Expr));
                self.child("else", Node::Expr(otherwise));
            }
            K::Cast { ty, operand } => self.node("cast", &[("", Node::TypeName(ty)), ("", Node::Expr(operand))]),
            K::CompoundLiteral { ty, initializer } => {
                self.node("compound literal", &[("", Node::TypeName(ty)), ("", Node::Initializer(initializer))]);
            }
            K::Call { callee, arguments, close } => {
                self.text("call");
                self.place(expr.span);
                self.text(" )");
                self.place(close);
                self.child("callee", Node::Expr(callee));
                self.list("", arguments, Node::Expr);
                return;
            }
            K::KernelLaunch { callee, configuration, arguments } => {
                self.node("launch", &[("callee", Node::Expr(callee))]);
                self.list("configuration", configuration, Node::Expr);
                self.list("", arguments, Node::Expr);
            }
            K::Index { base, index } => self.node("index", &[("", Node::Expr(base)), ("", Node::Expr(index))]),
            K::Member { base, member, is_arrow } => {
                let _ = write!(self.out, "member `{}{}`", if is_arrow { "->" } else { "." }, member.symbol);
                self.child("", Node::Expr(base));
            }
            K::SizeofExpr(operand) => self.node("sizeof", &[("", Node::Expr(operand))]),
            K::SizeofType(ty) => self.node("sizeof", &[("", Node::TypeName(ty))]),
            K::AlignofExpr(operand) => self.node("alignof", &[("", Node::Expr(operand))]),
            K::AlignofType(ty) => self.node("alignof", &[("", Node::TypeName(ty))]),
            K::StatementExpression(block) => self.node("statement expression", &[("", Node::Stmt(block))]),
            K::LabelAddress(label) => {
                self.text("address of label");
                self.quoted(label.symbol);
            }
            K::Generic { control, associations } => {
                self.text("generic");
                match control {
                    GenericControl::Expr(expr) => self.child("control", Node::Expr(expr)),
                    GenericControl::Type(ty) => self.child("control", Node::TypeName(ty)),
                }
                self.list("", associations, Node::Association);
            }
            K::VaArg { list, ty } => self.node("va_arg", &[("", Node::Expr(list)), ("", Node::TypeName(ty))]),
            K::Offsetof { ty, path } => {
                self.node("offsetof", &[("", Node::TypeName(ty))]);
                self.list("", path, Node::Designator);
            }
            K::TypesCompatible { left, right } => {
                self.node("types compatible", &[("", Node::TypeName(left)), ("", Node::TypeName(right))]);
            }
            K::Choose { condition, then, otherwise } => self.node(
                "choose",
                &[("condition", Node::Expr(condition)), ("then", Node::Expr(then)), ("else", Node::Expr(otherwise))],
            ),
            K::ConvertVector { operand, ty } => {
                self.node("convert vector", &[("", Node::Expr(operand)), ("", Node::TypeName(ty))]);
            }
            _ => self.civl_expr(expr.kind),
        }
        self.place(expr.span);
    }

    fn civl_expr(&mut self, kind: ExprKind) {
        use ExprKind as K;
        match kind {
            K::Range { low, high, step } => {
                self.node("range", &[("low", Node::Expr(low)), ("high", Node::Expr(high))]);
                self.optional("step", step.map(Node::Expr));
            }
            K::Quantified(id) => {
                let quantified = self.unit[id];
                self.text(quantified.quantifier.keyword());
                self.list("interval", quantified.intervals, Node::Expr);
                self.list("", quantified.binders, Node::Binder);
                self.optional("restriction", quantified.restriction.map(Node::Expr));
                self.child("body", Node::Expr(quantified.body));
            }
            K::Spawn(operand) => self.node("$spawn", &[("", Node::Expr(operand))]),
            K::ScopeOf(operand) => self.node("$scopeof", &[("", Node::Expr(operand))]),
            K::BigO(operand) => self.node("$O", &[("", Node::Expr(operand))]),
            K::Calls(operand) => self.node("$calls", &[("", Node::Expr(operand))]),
            K::SelfProcess => self.text("$self"),
            K::ProcNull => self.text("$proc_null"),
            K::Here => self.text("$here"),
            K::Root => self.text("$root"),
            K::Result => self.text("$result"),
            K::Ellipsis => self.text("..."),
            K::Type(ty) => self.node("type argument", &[("", Node::TypeName(ty))]),
            K::Remote { expr, process } => self.node("remote", &[("", Node::Expr(expr)), ("at", Node::Expr(process))]),
            K::Derivative(id) => {
                let derivative = self.unit[id];
                self.text("$D");
                self.quoted(derivative.function.symbol);
                self.list("by", derivative.variables, Node::Name);
                self.list("times", derivative.orders, Node::Expr);
                self.list("", derivative.arguments, Node::Expr);
            }
            _ => self.text("expression"),
        }
    }

    pub(super) fn node(&mut self, text: &str, children: &[(&'static str, Node)]) {
        self.text(text);
        self.children.extend_from_slice(children);
    }
}
