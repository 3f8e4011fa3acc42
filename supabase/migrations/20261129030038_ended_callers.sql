set local lock_timeout = '5s';
set local statement_timeout = '60s';

set local check_function_bodies = off;

create or replace function app.onboarding_status()
  returns jsonb
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_level integer := app.require_level(1);
  v_status jsonb := (
    select jsonb_build_object(
      'profileBasics', s.has_basics,
      'mediaCompleted', s.has_media,
      'phoneConfirmed', s.has_phone,
      'contactsSynced', s.has_contacts,
      'contactsSyncedAt', app.iso(s.contacts_synced_at),
      'level', v_level,
      'completed', s.has_basics and s.has_media and s.has_phone and s.has_contacts,
      'nextStep', case
        when not s.has_basics then 'profile_basics'
        when not s.has_media then 'media'
        when not s.has_phone then 'phone'
        when not s.has_contacts then 'contacts'
      end
    )
    from app.onboarding_steps as s
    where s.user_id = (select app.user_id())
  );
begin
  -- The level is of the beginning of the request.
  if v_status is null then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  return v_status;
end
$function$;
