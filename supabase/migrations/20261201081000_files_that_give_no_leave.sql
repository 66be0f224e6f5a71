-- A clear no in a column that says who may be called, such as "OK to call", keeps its row from being called too.

drop index public.leads_no_calls_idx;

create or replace function app.tells_no_calls(extra jsonb) returns boolean
language plpgsql immutable parallel safe set search_path to '' as $$
begin
  -- Asked at each change of a lead. Most have no columns of a file, and most cells have nothing like it: one look tells them, without a query.
  if extra = '{}' or extra::text !~* 'do[^a-z0-9]*n[^a-z0-9]?o?t[^a-z0-9]*(call|cont|phone|tele|dial|sol|dist|allow)|(no|never)[^a-z0-9]*call|dn[cd]|litigator|opt(ed)?[^a-z0-9]*out|suppress|black[^a-z0-9]*list|(to|for|be|can|may|allows?|accepts?)[^a-z0-9]*(call|phone|tele|contact)|calls?[^a-z0-9]*(ok|allow|permitted|permission|consent)|callable'
  then
    return false;
  end if;
  return exists (
    select from (
      select header, told from jsonb_each_text(extra) as every (header, told)
      where header || ' ' || told ~* 'do[^a-z0-9]*n[^a-z0-9]?o?t[^a-z0-9]*(call|cont|phone|tele|dial|sol|dist|allow)|(no|never)[^a-z0-9]*call|dn[cd]|litigator|opt(ed)?[^a-z0-9]*out|suppress|black[^a-z0-9]*list|(to|for|be|can|may|allows?|accepts?)[^a-z0-9]*(call|phone|tele|contact)|calls?[^a-z0-9]*(ok|allow|permitted|permission|consent)|callable'
      offset 0
    ) as cell, lateral (
      select btrim(regexp_replace(lower(
        regexp_replace(regexp_replace(header collate "C", '([a-z0-9])([A-Z])', '\1 \2', 'g'), '([A-Z])([A-Z][a-z])', '\1 \2', 'g')
      ), '[^a-z0-9]+', ' ', 'g')) as called, btrim(regexp_replace(lower(told collate "C"), '[^a-z0-9]+', ' ', 'g')) as said
      offset 0
    ) as words
    where called !~ '(^| )(checked|scrub|scrubbed|verified|source|version)( |$)' and case
      when called ~ '(^| )((do ?not|don ?t) ?(allow )?(call|phone|telephone|dial|solicit)s?|(no|never) call|dnc|litigators?)( |$)'
        or (called ~ '(^| )((do ?not|don ?t) ?contact|opt(ed)? ?out|suppress(ed|ion)?|black ?list(ed)?|(do ?not|don ?t) ?disturb|dnd)( |$)'
          and called !~ '(^| )(e ?mails?|mails?|mailings?|fax|texts?|sms|newsletters?)( |$)')
      then case when said = '' then told ~ '[✓✔☑✅]' else
        said !~ '^(no?|none|nil|null|na|n a|f|false|0( 0)?|off|unchecked|unknown|undefined|pending|blank|empty|never|ok|okay|ok to call|okay to call|clean|clear|safe|good|pass|passed|call|callable|can call|allow|allowed|permitted|active|subscribed|opted in|opt in|no dnc|non dnc|not (on|in|a|listed|found|checked|set|registered|applicable|available|specified|known|dnc|opted|suppressed)( .*)?)$'
      end
      when (called ~ '(^| )((ok|okay|allowed|permitted|permission|consent(s|ed)?|agree(s|d)?) (to|for) (be )?(call|phone|telephone)(s|ed|ing)?|(can|may) (be )?(call|phone)(ed)?|(allow|accept)s? (phone )?calls?|calls? (ok|okay|allowed|permitted|permission|consent)|callable)( |$)'
          or (called ~ '(^| )(ok|okay|allowed|permitted|permission|consent(s|ed)?|agree(s|d)?) (to|for) (be )?contact(ed)?( |$)'
            and called !~ '(^| )(e ?mails?|mails?|mailings?|fax|texts?|sms|newsletters?)( |$)'))
        and case when said = '' then told ~ '[✗✘✖❌]' else
          said ~ '^(no(?! (problem|restriction|limit|objection|answer|info|information|data|response|reply|record|entry|preference)s?( |$))( .*)?|n|never|f|false|0( 0)?|off|unchecked|denied|refused|revoked|withdrawn|declined|rejected|opt(ed)? out|not (ok|okay|allowed|permitted|given|granted|consented|agreed|callable)|(do ?not|don ?t|never|can ?not|can ?t|may not|must not) (call|contact|phone|allow)( .*)?)$'
        end
      then true
      else regexp_replace(lower(told collate "C"), '[^a-z0-9,;|]+', ' ', 'g') ~
        '(^|[,;|]) ?((do ?not|don ?t) ?(call|contact|phone|solicit|disturb)|dnd|(on )?(the )?(national |federal |state )?(dnc|do not call)( list| registry)?) ?($|[,;|])'
    end);
end
$$;

create index leads_no_calls_idx on public.leads ((contact_keys[1])) where app.tells_no_calls(extra);

comment on function app.tells_no_calls is
  'Whether a column of a file says that its row must not be called. What is not clearly a no is a yes, and a clear no to calls is one.';
