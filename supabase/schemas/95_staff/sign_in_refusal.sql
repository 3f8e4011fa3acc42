create function staff.sign_in_refusal(p_identity jsonb, p_policy jsonb)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return case
    when p_identity is null then 'token_invalid'
    when p_identity -> 'isEmailVerified' is distinct from 'true' then 'email_unverified'
    when coalesce(p_identity ->> 'hostedDomain' <> p_policy ->> 'allowedDomain', true) then 'wrong_domain'
    when staff.role_of(p_identity ->> 'email', p_policy) is null then 'not_listed'
  end;
end
$$;
comment on function staff.sign_in_refusal(jsonb, jsonb) is 'Why an identity (email, isEmailVerified, hostedDomain; null where its token was not a good one) may not sign in as staff under p_policy (allowedDomain, allowedEmails); null where it may (contract.md 3).';

revoke all on function staff.sign_in_refusal(jsonb, jsonb) from public;
