//! Tests of concrete memory: what is caught, and how it is explained.

use super::{Concrete, Inputs, Memory, Value};
use crate::domain::{Allocation, Domain, Ending, ObjectKind, Question, Truth};
use crate::fault::Trouble;
use crate::scalar::{BitCell, Cell, Scalar};
use quod_base::Span;
use quod_model::ir::DataModel;
use quod_verdict::CheckKind;

const INT: Cell = Cell { scalar: Scalar::I32, size: 4 };

fn machine(model: DataModel) -> (Concrete, Memory) {
    let mut domain = Concrete::new(model, 1 << 30, Inputs::default());
    let memory = domain.new_memory();
    (domain, memory)
}

fn object(domain: &mut Concrete, memory: &mut Memory, size: u64, kind: ObjectKind) -> Value {
    let allocation = Allocation { alignment: 16, kind, name: None, span: Span::new(1, 2), is_zeroed: false };
    domain.allocate(memory, size, &allocation).expect("there is memory")
}

fn fault_kind<T: std::fmt::Debug>(result: Result<T, Trouble<std::convert::Infallible>>) -> (CheckKind, String) {
    match result {
        Err(Trouble::Fault(fault)) => (fault.kind, fault.message),
        other => panic!("no fault: {other:?}"),
    }
}

#[test]
fn values_come_back_in_both_data_models() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let (mut domain, mut memory) = machine(model);
        let pointer = object(&mut domain, &mut memory, 8, ObjectKind::Heap);
        let second = domain.offset(&pointer, 4);
        let value = domain.integer(-7, Scalar::I32);
        domain.store(&mut memory, &second, INT, &value).expect("in bounds");
        assert_eq!(domain.load(&mut memory, &second, INT).expect("in bounds"), value);
        // The address alone leads to the object, too.
        let bare = Value::small(second.low);
        assert_eq!(domain.load(&mut memory, &bare, INT).expect("in bounds"), value);
        let asked = Question::Initialised { pointer, size: 4 };
        assert!(matches!(domain.ask(&memory, &asked), Truth::Known(false)));
        let asked = Question::Initialised { pointer: second, size: 4 };
        assert!(matches!(domain.ask(&memory, &asked), Truth::Known(true)));
    }
}

#[test]
fn bad_accesses_are_explained() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let (mut domain, mut memory) = machine(model);
        let first = object(&mut domain, &mut memory, 4, ObjectKind::Heap);
        let _neighbour = object(&mut domain, &mut memory, 4, ObjectKind::Heap);
        for distance in [-4, 1, 4, 32, 64, 4096] {
            let outside = domain.offset(&first, distance);
            let (kind, message) = fault_kind(domain.load(&mut memory, &outside, INT));
            assert_eq!((kind, message.as_str()), (CheckKind::InvalidDeref, "read outside an object"), "{distance}");
        }
        let null = domain.null();
        assert_eq!(fault_kind(domain.load(&mut memory, &null, INT)).1, "null pointer is dereferenced");
        domain.release(&mut memory, &first, Ending::Freed, Span::new(3, 4)).expect("a live object");
        assert_eq!(fault_kind(domain.load(&mut memory, &first, INT)).1, "memory is used after it was freed");
        let asked = Question::ValidFree { pointer: first };
        assert!(matches!(domain.ask(&memory, &asked), Truth::Known(false)));
    }
}

#[test]
fn many_short_lives_do_not_exhaust_addresses() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let (mut domain, mut memory) = machine(model);
        for _ in 0..20_000 {
            let pointer = object(&mut domain, &mut memory, 64, ObjectKind::Local);
            domain.release(&mut memory, &pointer, Ending::Left, Span::NONE).expect("a live object");
        }
        assert!(memory.objects.len() < 2000);
    }
}

#[test]
fn bit_fields_keep_their_neighbours() {
    let (mut domain, mut memory) = machine(DataModel::Lp64);
    let pointer = object(&mut domain, &mut memory, 8, ObjectKind::Heap);
    let low = BitCell { scalar: Scalar::U32, shift: 0, width: 3 };
    let high = BitCell { scalar: Scalar::I32, shift: 3, width: 13 };
    for (cell, number) in [(low, 5), (high, -4000)] {
        let value = domain.integer(number, cell.scalar);
        domain.store_bits(&mut memory, &pointer, cell, &value).expect("in bounds");
    }
    for (cell, number) in [(low, 5), (high, -4000)] {
        let value = domain.load_bits(&mut memory, &pointer, cell).expect("in bounds");
        assert_eq!(domain.known_integer(&value, cell.scalar), Some(number));
    }
}

#[test]
fn ideal_values_survive_small_cells_and_copies() {
    let (mut domain, mut memory) = machine(DataModel::Lp64);
    let (a, b) = (
        object(&mut domain, &mut memory, 16, ObjectKind::Heap),
        object(&mut domain, &mut memory, 16, ObjectKind::Heap),
    );
    let integer = Cell { scalar: Scalar::Integer, size: 4 };
    let real = Cell { scalar: Scalar::Real, size: 8 };
    let large = domain.integer(1 << 40, Scalar::Integer);
    let tenth = domain.float(0, "0.1", Scalar::Real);
    domain.store(&mut memory, &a, integer, &large).expect("in bounds");
    let second = domain.offset(&a, 8);
    domain.store(&mut memory, &second, real, &tenth).expect("in bounds");
    domain.copy(&mut memory, &b, &a, 16).expect("in bounds");
    let copied = domain.load(&mut memory, &b, integer).expect("in bounds");
    assert_eq!(domain.known_integer(&copied, Scalar::Integer), Some(1 << 40));
    let second = domain.offset(&b, 8);
    let copied = domain.load(&mut memory, &second, real).expect("in bounds");
    assert_eq!(domain.display(&copied, Scalar::Real), "1/10");
}
