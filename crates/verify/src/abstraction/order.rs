//! The weak topological order of a graph (F. Bourdoncle, Efficient chaotic iteration strategies with widenings, 1993):
//! nodes in an order in which nested components, each with a head, contain all cycles.

use quod_base::Id;
use quod_model::ir::*;
use rustc_hash::FxHashSet;

#[derive(Clone, Debug)]
pub(crate) enum Element {
    Node(LocationId),
    Component(Component),
}

#[derive(Clone, Debug)]
pub(crate) struct Component {
    pub(crate) head: LocationId,
    pub(crate) elements: Vec<Element>,
    /// All its locations, the head's and those of components in it as well.
    pub(crate) inside: FxHashSet<LocationId>,
}

#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) elements: Vec<Element>,
    pub(crate) predecessors: Vec<Vec<LocationId>>,
}

pub(crate) fn successors(body: &Body, location: LocationId) -> Vec<LocationId> {
    let mut all = Vec::new();
    let control = &body.locations[location].control;
    control.for_each_successor(&mut |next| all.push(next));
    if let Control::ComputedGoto(_) = control {
        all.extend(body.labels.iter().copied());
    }
    let mut seen = FxHashSet::default();
    all.retain(|&next| seen.insert(next));
    all
}

impl Order {
    pub(crate) fn new(body: &Body) -> Self {
        let successors: Vec<Vec<LocationId>> = body.locations.ids().map(|id| successors(body, id)).collect();
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (from, list) in successors.iter().enumerate() {
            for to in list {
                predecessors[to.index()].push(LocationId::from_index(from));
            }
        }
        let mut builder = Builder { numbers: vec![0; successors.len()], successors, next: 0, stack: Vec::new() };
        let mut elements = Vec::new();
        if !body.locations.is_empty() {
            builder.visit(0, &mut elements);
        }
        elements.reverse();
        Self { elements, predecessors }
    }
}

struct Builder {
    successors: Vec<Vec<LocationId>>,
    numbers: Vec<usize>,
    next: usize,
    stack: Vec<usize>,
}

impl Builder {
    fn visit(&mut self, node: usize, elements: &mut Vec<Element>) -> usize {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.visit_here(node, elements))
    }

    fn visit_here(&mut self, node: usize, elements: &mut Vec<Element>) -> usize {
        self.stack.push(node);
        self.next += 1;
        self.numbers[node] = self.next;
        let mut head = self.next;
        let mut is_loop = false;
        for index in 0..self.successors[node].len() {
            let next = self.successors[node][index].index();
            let least = if self.numbers[next] == 0 { self.visit(next, elements) } else { self.numbers[next] };
            if least <= head {
                head = least;
                is_loop = true;
            }
        }
        if head == self.numbers[node] {
            self.numbers[node] = usize::MAX;
            let mut popped = self.stack.pop();
            if is_loop {
                while let Some(other) = popped.filter(|&other| other != node) {
                    self.numbers[other] = 0;
                    popped = self.stack.pop();
                }
                let component = self.component(node);
                elements.push(Element::Component(component));
            } else {
                elements.push(Element::Node(LocationId::from_index(node)));
            }
        }
        head
    }

    fn component(&mut self, node: usize) -> Component {
        let mut elements = Vec::new();
        for index in 0..self.successors[node].len() {
            let next = self.successors[node][index].index();
            if self.numbers[next] == 0 {
                self.visit(next, &mut elements);
            }
        }
        elements.reverse();
        let head = LocationId::from_index(node);
        let mut inside = FxHashSet::default();
        inside.insert(head);
        for element in &elements {
            match element {
                Element::Node(location) => {
                    inside.insert(*location);
                }
                Element::Component(component) => inside.extend(component.inside.iter().copied()),
            }
        }
        Component { head, elements, inside }
    }
}
