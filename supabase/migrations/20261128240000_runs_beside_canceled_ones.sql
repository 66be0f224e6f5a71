-- A run that is being canceled books nothing more. The same work may begin again behind it, and no budget holds anything for it.
drop index app.runs_one_open_per_list_and_kind;
create unique index runs_one_open_per_list_and_kind on app.runs (list_id, kind)
  where state in ('queued', 'running') and cancel_requested_at is null;

create or replace function app.money_of_month(user_id uuid, month date)
 returns table(provider text, sandbox boolean, spent_micros bigint, reserved_micros bigint)
 language sql
 stable
 set search_path to ''
as $function$
  select provider, sandbox, sum(spent)::bigint, sum(reserved)::bigint
  from (
    select provider, sandbox, cost_micros as spent, 0 as reserved from app.usage_days as d
    where d.user_id = money_of_month.user_id and day >= month and day < month + interval '1 month'
    union all
    select provider, sandbox, spent_micros, 0 from app.earlier_spending as e
    where e.user_id = money_of_month.user_id and e.month = money_of_month.month
    union all
    select
      case when kind in ('search', 'place', 'survey') then 'google_places' when kind = 'enrichment' then 'hunter_io' else 'searchbug' end,
      sandbox, 0,
      greatest(0, bound_micros - (select coalesce(sum(cost_micros), 0) from app.ledger_days as d where d.run_id = run.id))
    from app.runs as run
    where run.user_id = money_of_month.user_id and state in ('queued', 'running') and cancel_requested_at is null
  ) as parts
  group by provider, sandbox
$function$;
