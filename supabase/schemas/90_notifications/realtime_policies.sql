-- Nobody but the service sends: there is no policy to insert.
create policy opine_people_hear_what_is_theirs on realtime.messages for select to authenticated
using (extension = 'broadcast' and (select app.may_hear((select realtime.topic()))));
comment on policy opine_people_hear_what_is_theirs on realtime.messages is 'Who may join the private channel user:<id> of Supabase Realtime, on which hints of notifications are sent (app.publish_hints).';
