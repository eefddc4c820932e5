//! `<time.h>`: the caller's clock where it gives one, else a clock that ticks with each question.

use super::context::{Context, Reply};
use super::{Answered, LibraryFunction};
use crate::domain::{Domain, ObjectKind, Outcome};
use quod_model::ir::IntKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "time" => |context| {
            let (seconds, _) = now(context);
            let slot = context.value(0)?;
            if !context.is_null(&slot) {
                context.store_int(&slot, IntKind::Long, seconds.into())?;
            }
            Ok(Reply::Int(seconds.into()))
        },
        "clock" => |context| {
            context.state.world.clock += 1;
            Ok(Reply::Int(i128::from(context.machine.steps / 100) + context.state.world.clock))
        },
        "difftime" => |context| Ok(Reply::Float((context.int(0)? - context.int(1)?) as f64)),
        "clock_gettime" | "timespec_get" => |context| {
            let index = usize::from(context.name == "clock_gettime");
            let slot = context.pointer(index)?;
            store_pair(context, &slot, 1)
        },
        "gettimeofday" => |context| {
            let slot = context.pointer(0)?;
            store_pair(context, &slot, 1000)
        },
        "nanosleep" | "usleep" | "sleep" | "clock_nanosleep" => |_| Ok(Reply::Yield(0)),
        "localtime" | "gmtime" => |context| {
            let slot = context.pointer(0)?;
            let seconds = context.load_int(&slot, IntKind::Long)? as i64;
            let size = if context.model().pointer_size() == 8 { 56 } else { 44 };
            let object = match context.state.world.objects.get("tm") {
                Some(object) => object.clone(),
                None => {
                    let object = context.allocate(size, ObjectKind::Library, true, "tm")?;
                    context.state.world.objects.insert("tm", object.clone());
                    object
                }
            };
            store_calendar(context, &object, seconds)?;
            Ok(Reply::Value(object))
        },
        "localtime_r" | "gmtime_r" => |context| {
            let (slot, object) = (context.pointer(0)?, context.pointer(1)?);
            let seconds = context.load_int(&slot, IntKind::Long)? as i64;
            store_calendar(context, &object, seconds)?;
            Ok(Reply::Value(object))
        },
        "tzset" => |_| Ok(Reply::Nothing),
        _ => return None,
    })
}

fn now<D: Domain>(context: &mut Context<'_, '_, D>) -> (i64, u32) {
    match context.machine.io.now() {
        Some(now) => now,
        None => {
            context.state.world.clock += 1;
            (1_700_000_000 + (context.state.world.clock / 1000) as i64, 0)
        }
    }
}

fn store_pair<D: Domain>(context: &mut Context<'_, '_, D>, slot: &D::Value, divisor: u32) -> Answered<D> {
    let (seconds, nanoseconds) = now(context);
    let word = context.model().pointer_size();
    context.store_int(slot, IntKind::Long, seconds.into())?;
    let second = context.offset(slot, word as i64);
    context.store_int(&second, IntKind::Long, (nanoseconds / divisor).into())?;
    Ok(Reply::Int(0))
}

fn store_calendar<D: Domain>(context: &mut Context<'_, '_, D>, object: &D::Value, seconds: i64) -> Outcome<D, ()> {
    let days = seconds.div_euclid(86400);
    let rest = seconds.rem_euclid(86400);
    // Days since 1970 to the civil calendar (Hinnant's algorithm).
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let year_day = before[month as usize - 1] + day - 1 + i64::from(is_leap && month > 2);
    let fields =
        [rest % 60, rest / 60 % 60, rest / 3600, day, month - 1, year - 1900, (days + 4).rem_euclid(7), year_day, 0];
    for (index, value) in fields.into_iter().enumerate() {
        let slot = context.offset(object, 4 * index as i64);
        context.store_int(&slot, IntKind::Int, value.into())?;
    }
    Ok(())
}
