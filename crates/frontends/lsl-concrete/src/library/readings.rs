//! What the remaining functions with a result say: any value of the range that the documentation
//! gives, the same until somebody may have changed it.

use lsl::Type;
use lsl::facts;

use crate::machine::Machine;
use crate::value::{Value, single};

/// The values that a result can have.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Range {
    /// From 0 to 1.
    Unit,
    /// Not below 0.
    NotNegative,
    /// From one integer to another.
    Between(i32, i32),
    /// A direction.
    Normal,
    /// Three numbers from 0 to 1.
    Color,
    /// An avatar, an object, or nobody.
    Somebody,
    /// A code: 0 for success or something else.
    Code,
}

/// Functions whose result is narrower than their type says.
const RANGES: &[(&str, Range)] = &[
    ("llCloud", Range::Unit),
    ("llDetectedTouchFace", Range::Between(-1, 8)),
    ("llGetAlpha", Range::Unit),
    ("llGetAttached", Range::Between(0, 55)),
    ("llGetCameraAspect", Range::NotNegative),
    ("llGetCameraFOV", Range::NotNegative),
    ("llGetColor", Range::Color),
    ("llGetDayLength", Range::NotNegative),
    ("llGetDayOffset", Range::NotNegative),
    ("llGetEnergy", Range::Unit),
    ("llGetFreeMemory", Range::Between(0, 65_536)),
    ("llGetFreeURLs", Range::NotNegative),
    ("llGetHealth", Range::NotNegative),
    ("llGetLandOwnerAt", Range::Somebody),
    ("llGetLinkNumberOfSides", Range::Between(1, 9)),
    ("llGetMass", Range::NotNegative),
    ("llGetMassMKS", Range::NotNegative),
    ("llGetMaxScaleFactor", Range::NotNegative),
    ("llGetMemoryLimit", Range::Between(16_384, 65_536)),
    ("llGetMinScaleFactor", Range::NotNegative),
    ("llGetMoonDirection", Range::Normal),
    ("llGetNumberOfSides", Range::Between(1, 9)),
    ("llGetObjectMass", Range::NotNegative),
    ("llGetObjectPrimCount", Range::NotNegative),
    ("llGetParcelMaxPrims", Range::NotNegative),
    ("llGetParcelPrimCount", Range::NotNegative),
    ("llGetRegionDayLength", Range::NotNegative),
    ("llGetRegionDayOffset", Range::NotNegative),
    ("llGetRegionFPS", Range::NotNegative),
    ("llGetRegionMoonDirection", Range::Normal),
    ("llGetRegionSunDirection", Range::Normal),
    ("llGetRegionTimeDilation", Range::Unit),
    ("llGetSPMaxMemory", Range::Between(0, 65_536)),
    ("llGetSunDirection", Range::Normal),
    ("llGetUsedMemory", Range::Between(0, 65_536)),
    ("llGround", Range::NotNegative),
    ("llGroundNormal", Range::Normal),
    ("llReturnObjectsByID", Range::Between(-3, 20)),
    ("llReturnObjectsByOwner", Range::Between(-3, 20)),
    ("llSetLinkMedia", Range::Code),
    ("llSetPrimMediaParams", Range::Code),
    ("llClearLinkMedia", Range::Code),
    ("llClearPrimMedia", Range::Code),
    ("llWater", Range::NotNegative),
];

/// Getters whose value is new at each call, because nothing holds it still.
const MOVING: &[&str] = &["llGetFreeMemory", "llGetUsedMemory"];

/// Setters, and the getters that say something else afterwards. Those of names, texts and data
/// have rules of their own.
const SETS: &[(&[&str], &[&str])] = &[
    (&["llSetAlpha", "llSetLinkAlpha"], &["llGetAlpha"]),
    (&["llSetColor", "llSetLinkColor"], &["llGetColor"]),
    (
        &["llSetTexture", "llSetLinkTexture"],
        &["llGetTexture", "llGetTextureOffset", "llGetTextureScale"],
    ),
    (&["llOffsetTexture"], &["llGetTextureOffset"]),
    (&["llScaleTexture"], &["llGetTextureScale"]),
    (&["llRotateTexture"], &["llGetTextureRot"]),
    (
        &["llSetRenderMaterial", "llSetLinkRenderMaterial"],
        &["llGetRenderMaterial"],
    ),
    (&["llSetStatus"], &["llGetStatus"]),
    (
        &["llSetPos", "llSetRegionPos"],
        &["llGetPos", "llGetLocalPos", "llGetRootPosition"],
    ),
    (
        &["llSetRot", "llSetLocalRot"],
        &["llGetRot", "llGetLocalRot", "llGetRootRotation"],
    ),
    (&["llSetScale", "llScaleByFactor"], &["llGetScale"]),
    (&["llSetMemoryLimit"], &["llGetMemoryLimit"]),
    (&["llSetParcelMusicURL"], &["llGetParcelMusicURL"]),
    (&["llSetAnimationOverride"], &["llGetAnimationOverride"]),
    (&["llSetPrimMediaParams"], &["llGetPrimMediaParams"]),
    (&["llSetLinkMedia"], &["llGetLinkMedia"]),
    (&["llSetLinkSitFlags"], &["llGetLinkSitFlags"]),
    (&["llSetPhysicsMaterial"], &["llGetPhysicsMaterial"]),
    (
        &["llSetScriptState", "llResetOtherScript"],
        &["llGetScriptState"],
    ),
    (&["llSetTorque"], &["llGetTorque"]),
    (&["llSetForce"], &["llGetForce"]),
    (&["llSetForceAndTorque"], &["llGetForce", "llGetTorque"]),
];

impl Machine<'_> {
    /// What getters said of what a call sets is not so any more.
    pub(crate) fn forget(&mut self, function: &str) {
        let sets = SETS
            .iter()
            .filter(|(setters, _)| setters.contains(&function));
        for getter in sets.flat_map(|(_, getters)| *getters) {
            let call = format!("{getter}(");
            self.world
                .facts
                .retain(|known, _| !known.starts_with(&call));
        }
    }

    /// What a function says that has no rule of its own.
    pub(crate) fn reading(&mut self, function: &'static facts::Function, args: &[Value]) -> Value {
        let getter = function.must_use && !MOVING.contains(&function.name);
        if !getter && !function.pure {
            return self.draw(function);
        }
        let args: Vec<String> = args.iter().map(Value::to_string).collect();
        let call = format!("{}({})", function.name, args.join(", "));
        let known = match function.pure {
            true => self.world.computed.get(&call),
            false => self.world.facts.get(&call),
        };
        if let Some(value) = known {
            return value.clone();
        }
        let value = self.draw(function);
        match function.pure {
            true => self.world.computed.insert(call, value.clone()),
            false => self.world.facts.insert(call, value.clone()),
        };
        value
    }

    /// A value that a function may give.
    pub(crate) fn draw(&mut self, function: &'static facts::Function) -> Value {
        let world = &mut self.world;
        let range = RANGES.iter().find(|(name, _)| *name == function.name);
        match range.map(|(_, range)| *range) {
            Some(Range::Unit) => Value::Float(single(world.random.unit()).into()),
            Some(Range::NotNegative) if function.result == Some(Type::Float) => {
                let number = world.random.float(&world.script.literals);
                Value::Float(number.abs().into())
            }
            Some(Range::NotNegative) => {
                let number = world.integer();
                Value::Integer(number.checked_abs().unwrap_or(0))
            }
            Some(Range::Between(least, greatest)) => {
                let drawn = world.integer();
                if (least..=greatest).contains(&drawn) {
                    return Value::Integer(drawn);
                }
                Value::Integer(least + world.small(greatest - least + 1))
            }
            Some(Range::Normal) => {
                let parts: [f32; 3] = std::array::from_fn(|_| single(world.random.unit() - 0.5));
                let length = parts.iter().map(|part| part * part).sum::<f32>().sqrt();
                Value::Vector(match length > 0.0 {
                    true => parts.map(|part| part / length),
                    false => [0.0, 0.0, 1.0],
                })
            }
            Some(Range::Color) => {
                Value::Vector(std::array::from_fn(|_| single(world.random.unit())))
            }
            Some(Range::Somebody) => Value::key(&world.anything().0),
            Some(Range::Code) => Value::Integer(world.small(2) * 1000),
            None if function.boolean && function.result == Some(Type::Integer) => {
                Value::Integer(world.small(2))
            }
            None if function.index && function.result == Some(Type::Integer) => {
                Value::Integer(world.small(12) - 1)
            }
            None => match function.result {
                Some(Type::Key) => Value::key(&world.anything().0),
                Some(ty) => world.random.value(ty, &world.script.literals),
                None => Value::Integer(0),
            },
        }
    }
}
