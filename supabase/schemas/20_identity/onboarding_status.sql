create function app.onboarding_status()
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'profileBasics', step.has_basics,
      'mediaCompleted', step.has_media,
      'phoneConfirmed', step.has_phone,
      'contactsSynced', step.has_contacts,
      'contactsSyncedAt', app.iso(u.contacts_synced_at),
      'level', app.require_level(1),
      'completed', step.has_basics and step.has_media and step.has_phone and step.has_contacts,
      'nextStep', case
        when not step.has_basics then 'profile_basics'
        when not step.has_media then 'media'
        when not step.has_phone then 'phone'
        when not step.has_contacts then 'contacts'
      end
    )
    from app.users as u
    cross join lateral (
      select
        exists (select from app.profiles as p where p.user_id = u.id) as has_basics,
        u.media_completed_at is not null as has_media,
        u.phone is not null as has_phone,
        u.contacts_synced_at is not null as has_contacts
    ) as step
    where u.id = (select app.user_id())
  );
end
$$;
comment on function app.onboarding_status() is 'The caller''s OnboardingStatus (contract.md 4). Errors: UNAUTHORIZED if the account has ended, even after the operation began.';

revoke all on function app.onboarding_status() from public;
grant execute on function app.onboarding_status() to authenticated;
