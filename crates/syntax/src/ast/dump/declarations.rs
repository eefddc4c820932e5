//! Declarations of the dump.

use super::*;

impl Dumper<'_> {
    pub(super) fn declaration_children(&mut self, id: DeclarationId) {
        let declaration = self.unit[id];
        self.child("", Node::Specifiers(declaration.specifiers));
        self.list("", declaration.declarators, Node::InitDeclarator);
    }

    pub(super) fn function(&mut self, id: FunctionId) {
        let function = self.unit[id];
        self.text("function");
        self.quoted(function.name.symbol);
        self.child("", Node::Specifiers(function.specifiers));
        self.child("", Node::Declarator(function.declarator));
        self.list("", function.attributes, Node::Attribute);
        self.optional("asm name", function.asm_name.map(Node::String));
        self.list("old style", function.old_style, Node::Declaration);
        self.list("", function.clauses, Node::Clause);
        self.child("", Node::Stmt(function.body));
    }

    pub(super) fn declaration_node(&mut self, node: Node) {
        match node {
            Node::Declaration(id) => {
                self.text("declaration");
                self.place(self.unit[id].span);
                self.declaration_children(id);
            }
            Node::Specifiers(id) => self.specifiers(id),
            Node::Declarator(id) => self.declarator(id),
            Node::InitDeclarator(id) => {
                let init = self.unit[id];
                self.text("declarator");
                self.place(init.span);
                self.child("", Node::Declarator(init.declarator));
                self.optional("asm name", init.asm_name.map(Node::String));
                self.list("", init.attributes, Node::Attribute);
                self.list("", init.clauses, Node::Clause);
                self.optional("", init.initializer.map(Node::Initializer));
            }
            Node::Initializer(id) => {
                let initializer = self.unit[id];
                self.text("initializer");
                self.list("", initializer.designators, Node::Designator);
                match initializer.kind {
                    InitializerKind::Expr(expr) => self.child("", Node::Expr(expr)),
                    InitializerKind::List(elements) => {
                        self.text(" {}");
                        self.list("", elements, Node::Initializer);
                    }
                }
            }
            Node::Designator(id) => match self.unit[id].kind {
                DesignatorKind::Field(name) => {
                    let _ = write!(self.out, "designator `.{}`", name.symbol);
                }
                DesignatorKind::Index(index) => self.node("designator []", &[("", Node::Expr(index))]),
                DesignatorKind::Range { low, high } => {
                    self.node("designator [ ... ]", &[("", Node::Expr(low)), ("", Node::Expr(high))]);
                }
            },
            Node::Parameter(id) => {
                let parameter = self.unit[id];
                self.node("parameter", &[("", Node::Specifiers(parameter.specifiers))]);
                self.place(parameter.span);
                self.child("", Node::Declarator(parameter.declarator));
                self.list("", parameter.attributes, Node::Attribute);
            }
            Node::TypeName(id) => {
                let ty = self.unit[id];
                self.node("type", &[("", Node::Specifiers(ty.specifiers))]);
                if !matches!(self.unit[ty.declarator].kind, DeclaratorKind::Abstract) {
                    self.child("", Node::Declarator(ty.declarator));
                }
            }
            Node::Member(id) => match self.unit[id].kind {
                MemberKind::Fields { specifiers, declarators } => {
                    self.node("member", &[("", Node::Specifiers(specifiers))]);
                    self.list("", declarators, Node::MemberDeclarator);
                }
                MemberKind::StaticAssert { condition, message } => {
                    self.node("static assert", &[("", Node::Expr(condition))]);
                    self.optional("", message.map(Node::String));
                }
            },
            Node::MemberDeclarator(id) => {
                let field = self.unit[id];
                self.node("field", &[("", Node::Declarator(field.declarator))]);
                self.optional("width", field.width.map(Node::Expr));
                self.list("", field.attributes, Node::Attribute);
            }
            Node::Enumerator(id) => {
                let enumerator = self.unit[id];
                self.text("enumerator");
                self.quoted(enumerator.name.symbol);
                self.optional("", enumerator.value.map(Node::Expr));
                self.list("", enumerator.attributes, Node::Attribute);
            }
            Node::Attribute(id) => {
                let attribute = self.unit[id];
                self.text("attribute");
                match attribute.namespace {
                    Some(namespace) => self.quoted(format_args!("{namespace}::{}", attribute.name)),
                    None => self.quoted(attribute.name),
                }
                self.list("", attribute.arguments, Node::Expr);
            }
            _ => self.text("node"),
        }
    }

    fn specifiers(&mut self, id: SpecifiersId) {
        let specifiers = self.unit[id];
        self.text("specifiers");
        let words =
            specifiers.storage.keywords().chain(specifiers.function.keywords()).chain(specifiers.qualifiers.keywords());
        for word in words {
            let _ = write!(self.out, " {word}");
        }
        if let Some(library) = specifiers.library {
            let _ = write!(self.out, " [{library}]");
        }
        self.out.push(' ');
        self.type_specifier(specifiers.ty);
        self.list("argument", specifiers.abstract_arguments, Node::Expr);
        self.list("align", specifiers.alignments, Node::Expr);
        self.list("", specifiers.attributes, Node::Attribute);
    }

    fn type_specifier(&mut self, ty: TypeSpecifier) {
        use TypeSpecifier as T;
        match ty {
            T::Implicit => self.text("implicit int"),
            T::Error => self.text("error"),
            T::Basic { ty, is_complex } => {
                self.text(if is_complex { "_Complex " } else { "" });
                self.text(ty.name());
            }
            T::BitInt { is_unsigned, width } => {
                self.text(if is_unsigned { "unsigned _BitInt" } else { "_BitInt" });
                self.child("width", Node::Expr(width));
            }
            T::Record(id) => {
                let record = self.unit[id];
                self.text(if record.is_union { "union" } else { "struct" });
                if let Some(tag) = record.tag {
                    self.quoted(tag.symbol);
                }
                if let Some(pack) = record.pack {
                    let _ = write!(self.out, " pack {pack}");
                }
                self.list("", record.attributes, Node::Attribute);
                if let Some(members) = record.members {
                    self.text(" {}");
                    self.list("", members, Node::Member);
                }
            }
            T::Enum(id) => {
                let definition = self.unit[id];
                self.text("enum");
                if let Some(tag) = definition.tag {
                    self.quoted(tag.symbol);
                }
                self.optional("underlying", definition.underlying.map(Node::TypeName));
                self.list("", definition.attributes, Node::Attribute);
                if let Some(enumerators) = definition.enumerators {
                    self.text(" {}");
                    self.list("", enumerators, Node::Enumerator);
                }
            }
            T::TypedefName(name) => self.text(name.symbol.as_str()),
            T::TypeofExpr { expr, .. } => self.node("typeof", &[("", Node::Expr(expr))]),
            T::TypeofType { ty, .. } => self.node("typeof", &[("", Node::TypeName(ty))]),
            T::Atomic(ty) => self.node("_Atomic()", &[("", Node::TypeName(ty))]),
            T::Auto => self.text("__auto_type"),
            T::VaList => self.text("__builtin_va_list"),
            T::Real => self.text("$real"),
            T::Process => self.text("$proc"),
            T::Scope => self.text("$scope"),
            T::Range => self.text("$range"),
            T::Domain(dimension) => {
                self.text("$domain");
                self.optional("dimension", dimension.map(Node::Expr));
            }
            T::Memory => self.text("$mem"),
            T::State => self.text("$state"),
            T::Heap => self.text("$heap"),
        }
    }

    fn declarator(&mut self, id: DeclaratorId) {
        match self.unit[id].kind {
            DeclaratorKind::Name(name) => {
                self.text("name");
                self.quoted(name.symbol);
                self.place(name.span);
            }
            DeclaratorKind::Abstract => self.text("unnamed"),
            DeclaratorKind::Pointer { inner, qualifiers, attributes } => {
                self.text("pointer");
                for word in qualifiers.keywords() {
                    let _ = write!(self.out, " {word}");
                }
                self.list("", attributes, Node::Attribute);
                self.child("", Node::Declarator(inner));
            }
            DeclaratorKind::Array { inner, size, qualifiers, is_static } => {
                self.text(if is_static { "array static" } else { "array" });
                for word in qualifiers.keywords() {
                    let _ = write!(self.out, " {word}");
                }
                match size {
                    ArraySize::Unspecified => self.text(" []"),
                    ArraySize::Star => self.text(" [*]"),
                    ArraySize::Expr(size) => self.child("size", Node::Expr(size)),
                }
                self.child("", Node::Declarator(inner));
            }
            DeclaratorKind::Function { inner, parameters, .. } => {
                self.text("function");
                match parameters {
                    Parameters::Unspecified => self.text(" ()"),
                    Parameters::Names(names) => self.list("", names, Node::Name),
                    Parameters::Prototype { parameters, is_variadic } => {
                        self.text(if is_variadic { " variadic" } else { "" });
                        self.list("", parameters, Node::Parameter);
                    }
                }
                self.child("", Node::Declarator(inner));
            }
        }
    }
}
