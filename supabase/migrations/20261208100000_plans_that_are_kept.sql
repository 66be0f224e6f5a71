-- Every paid call runs these functions. Each connection now plans their statements once. PostgreSQL planned them for each call, which took
-- longer than what they do. Without sequential scans, a plan that was made for an empty table holds for a large one.

do $block$
declare
  called regprocedure;
begin
  foreach called in array array[
    'app.add_leads(uuid, jsonb, boolean)',
    'app.add_to_ledger_days(app.ledger_change[])',
    'app.append_evidence(jsonb)',
    'app.begin_calls(uuid, uuid, text, text, text, bigint, jsonb, text, integer[], integer[], integer, integer, boolean)',
    'app.book_answers(uuid, text, text, text, integer, jsonb)',
    'app.book_calls(uuid, uuid, uuid[], uuid[])',
    'app.book_sent(uuid, uuid, uuid[], uuid)',
    'app.link_evidence()',
    'app.plan_calls(uuid, uuid, text, text, text, bigint, text[], integer[])',
    'app.recall(uuid, uuid, text, text, boolean, text, text[])',
    'app.sum_changed_calls()',
    'app.sum_new_calls()',
    'app.take_free_slot(text, integer[], integer[], integer, uuid, integer)',
    'app.write_sent_calls(uuid, text, text, text, bigint, text[], integer[], uuid, text, integer[], integer[], integer, integer)'
  ]::regprocedure[] loop
    execute format('alter function %s set plan_cache_mode = force_generic_plan', called);
    execute format('alter function %s set enable_seqscan = off', called);
    execute format('alter function %s set jit = off', called);
  end loop;
end
$block$;
