create function gateway.with_phones(p_answer jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return case
    -- The card of a post.
    when p_answer ? 'authorPhoneNumber' then
      p_answer - 'authorPhoneNumber' || app.author_phone((p_answer ->> 'id')::uuid)
    -- A message of a discussion.
    when p_answer #> '{author,phoneNumber}' is not null then
      jsonb_set(p_answer, '{author,phoneNumber}', coalesce((
        select to_jsonb(author.phone_number)
        from app.discussions as d
        cross join app.hub_people(d.hub_id, array[(p_answer #>> '{author,userId}')::uuid]) as author
        where d.id = (p_answer ->> 'discussionId')::uuid
      ), 'null'))
    else p_answer
  end;
end
$$;
comment on function gateway.with_phones(jsonb) is 'Fills in what gateway.without_phones removed, as far as the caller may see it now. Args: p_answer, a stored answer. Returns the answer to replay.';

revoke all on function gateway.with_phones(jsonb) from public;
