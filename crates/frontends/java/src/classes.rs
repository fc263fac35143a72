//! The classes of a file, with those of the library that mean something here: what is a subclass of
//! what, and which method or field a name means.

use std::collections::HashMap;

use crate::tree::{Class, Field, File, Method, Type};

/// A class, by its position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ClassId(pub(crate) usize);

/// What values of a type are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Reference(ClassId),
    Flag,
    /// Numbers, texts, arrays, objects of the library: what they are is not followed.
    Data,
}

/// The classes.
pub(crate) struct Classes<'a> {
    pub(crate) all: Vec<&'a Class>,
    named: HashMap<&'a str, ClassId>,
}

/// `Object`, `Runnable` and `Thread`, which are before those of the file.
pub(crate) fn built_in() -> Vec<Class> {
    let named = |name: &str| Class {
        name: name.to_owned(),
        ..Class::default()
    };
    vec![
        named("Object"),
        named("Runnable"),
        Class {
            interfaces: vec!["Runnable".to_owned()],
            ..named("Thread")
        },
    ]
}

pub(crate) const OBJECT: ClassId = ClassId(0);
pub(crate) const RUNNABLE: ClassId = ClassId(1);
pub(crate) const THREAD: ClassId = ClassId(2);

impl<'a> Classes<'a> {
    pub(crate) fn new(built_in: &'a [Class], file: &'a File) -> Classes<'a> {
        let all: Vec<&Class> = built_in.iter().chain(&file.classes).collect();
        let named = all.iter().enumerate();
        let named = named.map(|(number, class)| (class.name.as_str(), ClassId(number)));
        Classes {
            named: named.collect(),
            all,
        }
    }

    pub(crate) fn get(&self, id: ClassId) -> &'a Class {
        self.all[id.0]
    }

    pub(crate) fn named(&self, name: &str) -> Option<ClassId> {
        self.named.get(name).copied()
    }

    /// A class that extends itself, by others perhaps.
    pub(crate) fn extends_itself(&self) -> Option<&'a str> {
        let superclass = |id: ClassId| self.named(self.get(id).superclass.as_deref()?);
        let circular = |&id: &ClassId| {
            let mut above = std::iter::successors(superclass(id), |&one| superclass(one));
            above.by_ref().take(self.all.len()).any(|one| one == id)
        };
        let found = self.ids().find(circular)?;
        Some(&self.get(found).name)
    }

    pub(crate) fn kind(&self, ty: &Type) -> Kind {
        match ty.name.as_str() {
            _ if ty.dimensions > 0 => Kind::Data,
            "boolean" => Kind::Flag,
            name => self.named(name).map_or(Kind::Data, Kind::Reference),
        }
    }

    /// The class and the interfaces that a class extends and implements, as far as they are known.
    fn parents(&self, id: ClassId) -> impl Iterator<Item = ClassId> {
        let class = self.get(id);
        let all = class.superclass.iter().chain(&class.interfaces);
        all.filter_map(|name| self.named(name))
            .filter(move |parent| *parent != id)
    }

    /// A class and all that it extends or implements, nearest first.
    pub(crate) fn above(&self, id: ClassId) -> Vec<ClassId> {
        let mut found = vec![id];
        let mut next = 0;
        while next < found.len() {
            for parent in self.parents(found[next]) {
                if !found.contains(&parent) {
                    found.push(parent);
                }
            }
            next += 1;
        }
        if !found.contains(&OBJECT) {
            found.push(OBJECT);
        }
        found
    }

    pub(crate) fn is(&self, id: ClassId, of: ClassId) -> bool {
        of == OBJECT || self.above(id).contains(&of)
    }

    /// Whether it extends or implements a class that is not known.
    pub(crate) fn has_unknown_parent(&self, id: ClassId) -> bool {
        self.above(id).iter().any(|&one| {
            let class = self.get(one);
            let mut all = class.superclass.iter().chain(&class.interfaces);
            all.any(|name| {
                let plain = ["Comparable", "Serializable", "Cloneable"];
                self.named(name).is_none() && !plain.contains(&name.as_str())
            })
        })
    }

    /// The field of a name, and the class that declares it.
    pub(crate) fn field(&self, id: ClassId, name: &str) -> Option<(ClassId, &'a Field)> {
        self.above(id).into_iter().find_map(|one| {
            let mut fields = self.get(one).fields.iter();
            Some((one, fields.find(|field| field.name == name)?))
        })
    }

    /// The methods of a name and a number of arguments, nearest first, and where they stand.
    pub(crate) fn methods(
        &self,
        id: ClassId,
        name: &str,
        arguments: usize,
    ) -> Vec<(ClassId, &'a Method)> {
        let all = self.above(id).into_iter().flat_map(|one| {
            let methods = self.get(one).methods.iter();
            methods.map(move |method| (one, method))
        });
        let fits = |method: &Method| method.name == name && method.parameters.len() == arguments;
        all.filter(|(_, method)| fits(method)).collect()
    }

    /// The method with a body that an object of exactly this class has.
    pub(crate) fn method(
        &self,
        id: ClassId,
        name: &str,
        arguments: usize,
    ) -> Option<(ClassId, &'a Method)> {
        let all = self.methods(id, name, arguments);
        all.into_iter().find(|(_, method)| method.body.is_some())
    }

    /// The class that a class stands in.
    pub(crate) fn outer(&self, id: ClassId) -> Option<ClassId> {
        self.named(self.get(id).outer.as_deref()?)
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.all.len()).map(ClassId)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_class_extends_itself() {
        for (classes, wrong) in [
            (
                "class A extends A { }",
                Some("the class `A` extends itself"),
            ),
            (
                "class A extends B { } class B extends A { }",
                Some("the class `A` extends itself"),
            ),
            (
                "class C extends A { } class A extends B { } class B { }",
                None,
            ),
        ] {
            let main = "class Main { public static void main(String[] a) { new A(); } }";
            let loaded = crate::load("t.java", &format!("{classes} {main}"));
            let told = loaded.diagnostics.first().map(|one| one.message.as_str());
            assert_eq!(told, wrong, "{classes}");
        }
    }
}
