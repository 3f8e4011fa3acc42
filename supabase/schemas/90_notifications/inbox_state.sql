create type app.inbox_state as (unread_count bigint, version bigint);
comment on type app.inbox_state is 'What a badge shows, and how new that is: app.inbox_state_of.';
