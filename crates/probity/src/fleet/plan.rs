//! `probity plan`: a folder of scripts, as jobs.

use std::path::Path;

use model::{Program, PropertyId};

use super::job::{CUBE, Job, PLAN_VERSION, read_script, refused};
use crate::check::{is_name, show};
use crate::command_line::{CheckInvocation, PlanInvocation};
use crate::config::Configs;
use crate::destinations::try_outputs;
use crate::scripts::scripts_at;
use crate::system::System;

/// Writes the plan; the exit status.
pub(crate) fn run(invocation: &PlanInvocation, system: &dyn System) -> u8 {
    let mut check = invocation.check.clone();
    let languages = check.input.languages;
    let mut configs = Configs::new(languages, false, system);
    let input = &mut check.input;
    let mut scripts = Vec::new();
    for path in &invocation.paths {
        input.recognise([path.as_path()], system);
        match scripts_at(path, input, system) {
            Ok(found) => scripts.extend(found),
            Err(diagnostic) => return refused(&diagnostic, system),
        }
    }
    let output = ("--output", invocation.output.as_deref(), false);
    if let Err(message) = try_outputs(&[output], &scripts, invocation.overwrite, system) {
        system.err(&format!("error: {message}\n"));
        return 2;
    }
    let mut text = String::new();
    let (mut count, mut unread) = (0, 0);
    for path in &scripts {
        match jobs_of(path, invocation, (&check, &mut configs), system) {
            Some(jobs) => {
                for job in jobs {
                    count += 1;
                    text.push_str(&serde_json::to_string(&job).expect("a job is plain JSON"));
                    text.push('\n');
                }
            }
            None => unread += 1,
        }
    }
    if let Some(path) = &invocation.output {
        if let Err(error) = system.write(path, &text) {
            system.err(&format!("error: --output: `{}`: {error}\n", path.display()));
            return 2;
        }
        let many = |count: usize, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        system.out(&format!(
            "{} of {} in `{}`.\n",
            many(count, "job"),
            many(scripts.len() - unread, "script"),
            path.display()
        ));
    } else {
        system.write_out(&text);
    }
    if unread > 0 { 2 } else { 0 }
}

/// The jobs of a script; none if it cannot be read as a program, which is told.
fn jobs_of(
    path: &Path,
    invocation: &PlanInvocation,
    (check, configs): (&CheckInvocation, &mut Configs<'_>),
    system: &dyn System,
) -> Option<Vec<Job>> {
    let stated = configs.words(check, path);
    let stated = stated.and_then(|words| Ok((words, configs.check(check, path)?)));
    let (stated, check) = match stated {
        Ok(stated) => stated,
        Err(wrong) => {
            system.write_err(&wrong);
            return None;
        }
    };
    let stated = stated
        .into_iter()
        .map(|word| word.to_string_lossy().into_owned());
    // What files state is written into the job, which is the same wherever it is done.
    let options = stated.chain(invocation.options.iter().cloned());
    let options = options.chain(check.input.config.then(|| "--no-config".to_owned()));
    let options: Vec<String> = options.collect();
    let (read, content) = match read_script(path, &check.input, system) {
        Ok(read) => read,
        Err(diagnostic) => {
            refused(&diagnostic, system);
            return None;
        }
    };
    let loaded = read.loaded;
    let Some(program) = &loaded.program else {
        show(&loaded.diagnostics, &loaded.sources, system);
        return None;
    };
    let names = program.properties.iter().map(|property| &property.name);
    let names: Vec<&String> = names.collect();
    // What has no name that could be given is checked with all others.
    let by_name = !invocation.whole_files && names.iter().all(|name| is_name(name));
    let properties: Vec<Option<String>> = if by_name {
        names.into_iter().cloned().map(Some).collect()
    } else {
        vec![None]
    };
    let engines: Vec<Option<String>> = if invocation.engines.is_empty() {
        // A swarm alone, if there is one.
        vec![None; usize::from(invocation.swarm == 0)]
    } else {
        let engines = invocation.engines.iter();
        engines.map(|engine| Some(engine.to_string())).collect()
    };
    let job = Job {
        version: PLAN_VERSION,
        key: String::new(),
        probity: env!("PROBITY_VERSION").to_owned(),
        file: path.to_string_lossy().into_owned(),
        content,
        property: None,
        engine: None,
        options,
    };
    let mut jobs = Vec::new();
    for property in &properties {
        let cubes = match property {
            Some(name) => cubes(program, name, invocation.cubes),
            None => 1,
        };
        for engine in &engines {
            let sat = Some(verify::Engine::Sat.to_string()).filter(|_| cubes > 1);
            let (property, engine) = (property.clone(), engine.clone().or(sat));
            let job = Job {
                property,
                engine,
                ..job.clone()
            };
            if cubes == 1 {
                jobs.push(job.clone().sealed());
                continue;
            }
            for number in 1..=cubes {
                let mut job = job.clone();
                let cube = format!("{number}/{cubes}");
                job.options.extend([CUBE.to_owned(), cube]);
                jobs.push(job.sealed());
            }
        }
    }
    // Each search looks for all that can fail.
    for seed in 1..=invocation.swarm {
        let mut job = job.clone();
        let words = ["--swarm".to_owned(), "1".to_owned(), "--seed".to_owned()];
        job.options
            .extend(words.into_iter().chain([seed.to_string()]));
        jobs.push(job.sealed());
    }
    Some(jobs)
}

/// Into how many cubes, so many at most, a property of this name can be cut.
fn cubes(program: &Program, name: &str, most: u32) -> u32 {
    let mut properties = (0..program.properties.len()).map(PropertyId::new);
    let property = properties.find(|it| program.properties[it.index()].name == name);
    property.map_or(1, |property| verify::cubes_of(program, property, most))
}
