//! Sorts in scripts.

use super::command::{Script, SortMeaning};
use super::sexpr::{Kind, Node, ParseError, Reader, Tree};
use crate::sort::{MAX_EXPONENT_WIDTH, MAX_WIDTH, Sort};

type Result<T> = std::result::Result<T, ParseError>;

impl Script<'_> {
    pub(super) fn sort(&self, tree: &Tree<'_>, node: Node) -> Result<Sort> {
        self.sort_with(tree, node, &[])
    }

    /// A sort where parameters of a definition stand for sorts.
    fn sort_with(&self, tree: &Tree<'_>, node: Node, parameters: &[(String, Sort)]) -> Result<Sort> {
        stacker::maybe_grow(1 << 16, 1 << 20, || {
            if tree.is_list(node) {
                self.compound_sort(tree, node, parameters)
            } else {
                self.named_sort(tree, node, parameters)
            }
        })
    }

    fn named_sort(&self, tree: &Tree<'_>, node: Node, parameters: &[(String, Sort)]) -> Result<Sort> {
        let Some(name) = tree.symbol(node) else { return tree.error(node, "expected a sort") };
        if let Some((_, sort)) = parameters.iter().find(|(parameter, _)| parameter == name) {
            return Ok(*sort);
        }
        if self.sorts.contains_key(name) {
            return self.declared_sort(tree, node, name, &[]);
        }
        Ok(match name {
            "Bool" => Sort::BOOL,
            "Int" => Sort::INT,
            "Real" => Sort::REAL,
            "RoundingMode" => Sort::ROUNDING_MODE,
            "Float16" => Sort::FLOAT16,
            "Float32" => Sort::FLOAT32,
            "Float64" => Sort::FLOAT64,
            "Float128" => Sort::FLOAT128,
            "UnitTuple" => Sort::tuple(&[]),
            _ => return tree.error(node, format!("unknown sort `{name}`")),
        })
    }

    fn declared_sort(&self, tree: &Tree<'_>, node: Node, name: &str, args: &[Sort]) -> Result<Sort> {
        match self.sorts.get(name) {
            Some(SortMeaning::Known(sort)) if args.is_empty() => Ok(*sort),
            Some(SortMeaning::Declared(arity)) if *arity == args.len() => Ok(Sort::uninterpreted(name, args)),
            Some(SortMeaning::Defined(definition)) if definition.0.len() == args.len() => {
                let bindings: Vec<(String, Sort)> = definition.0.iter().cloned().zip(args.iter().copied()).collect();
                let Ok(Some(body)) = Reader::new(&definition.1).next() else {
                    return tree.error(node, "bad definition");
                };
                let sort = self.sort_with(&body, Tree::ROOT, &bindings);
                sort.map_err(|error| ParseError { position: tree.position(node), message: error.message })
            }
            Some(_) => tree.error(node, format!("sort `{name}` does not take {} arguments", args.len())),
            None => tree.error(node, format!("unknown sort `{name}`")),
        }
    }

    fn compound_sort(&self, tree: &Tree<'_>, node: Node, parameters: &[(String, Sort)]) -> Result<Sort> {
        let list = tree.list(node);
        let Some((&head, rest)) = list.split_first() else { return tree.error(node, "expected a sort") };
        if tree.is_word(head, "_") {
            return self.indexed_sort(tree, node, rest);
        }
        let Some(name) = tree.symbol(head) else { return tree.error(head, "expected the name of a sort") };
        let args = rest.iter().map(|&part| self.sort_with(tree, part, parameters)).collect::<Result<Vec<_>>>()?;
        Ok(match (name, args.as_slice()) {
            _ if self.sorts.contains_key(name) => return self.declared_sort(tree, node, name, &args),
            ("Array", &[index, element]) => Sort::array(index, element),
            ("FiniteArray", &[element]) => Sort::finite_array(element),
            ("Tuple", parts) => Sort::tuple(parts),
            ("Seq", &[element]) => Sort::seq(element),
            ("Set", &[element]) => Sort::set(element),
            ("Bag", &[element]) => Sort::bag(element),
            ("Map", &[key, value]) => Sort::map(key, value),
            // A map sort of SMT-LIB 2.7 is an array here; several arguments nest.
            ("->", [domain @ .., range]) if !domain.is_empty() => {
                domain.iter().rev().fold(*range, |range, &index| Sort::array(index, range))
            }
            _ => return tree.error(head, format!("unknown sort `{name}` with {} arguments", args.len())),
        })
    }

    fn indexed_sort(&self, tree: &Tree<'_>, node: Node, rest: &[Node]) -> Result<Sort> {
        let numeral = |node: Node| match tree.kind(node) {
            Kind::Numeral => tree.text(node).parse::<u32>().ok(),
            _ => None,
        };
        let indices: Vec<u32> = rest.iter().skip(1).filter_map(|&node| numeral(node)).collect();
        match (rest.first().map(|&node| tree.text(node)), indices.as_slice()) {
            (Some("BitVec"), &[width]) if (1..=MAX_WIDTH).contains(&width) => Ok(Sort::bit_vec(width)),
            (Some("FloatingPoint"), &[exponent, significand])
                if (2..=MAX_EXPONENT_WIDTH).contains(&exponent) && (2..MAX_WIDTH / 2).contains(&significand) =>
            {
                Ok(Sort::float(exponent, significand))
            }
            (Some(name), _) => tree.error(node, format!("no sort `{name}` with these indices")),
            (None, _) => tree.error(node, "expected a sort"),
        }
    }
}
