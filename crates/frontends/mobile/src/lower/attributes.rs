//! Attributes of GNU C. Most say something to compilers only; those that change what a program does
//! are refused by name.

use lang_c::ast::{Attribute, TranslationUnit};
use lang_c::span::Span;
use lang_c::visit::{self, Visit};

use super::Lowering;

/// Attributes that change neither what runs nor how memory is laid out.
const HARMLESS: &[&str] = &[
    "access",
    "always_inline",
    "cold",
    "const",
    "deprecated",
    "fallthrough",
    "flatten",
    "format",
    "format_arg",
    "gnu_inline",
    "hot",
    "leaf",
    "malloc",
    "may_alias",
    "noinline",
    "nonnull",
    "noreturn",
    "nothrow",
    "optimize",
    "pure",
    "returns_nonnull",
    "section",
    "sentinel",
    "unused",
    "used",
    "visibility",
    "warn_unused_result",
    "weak",
];

#[derive(Default)]
struct Found {
    names: Vec<(String, Span)>,
}

impl<'ast> Visit<'ast> for Found {
    fn visit_attribute(&mut self, attribute: &'ast Attribute, span: &'ast Span) {
        self.names.push((attribute.name.node.clone(), *span));
        visit::visit_attribute(self, attribute, span);
    }
}

impl Lowering<'_> {
    /// Refuses the attributes that mean something.
    pub(super) fn attributes(&mut self, unit: &TranslationUnit) {
        let mut found = Found::default();
        found.visit_translation_unit(unit);
        for (name, span) in found.names {
            let bare = name.trim_matches('_');
            if !HARMLESS.contains(&bare) {
                let span = self.span(span);
                self.refuse(&format!("the attribute `{bare}`"), span);
            }
        }
    }
}
