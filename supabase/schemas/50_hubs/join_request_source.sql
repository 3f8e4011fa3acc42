create type app.join_request_source as enum ('invite_link', 'member_invitation');
comment on type app.join_request_source is 'How somebody came to ask (contract.md 8).';
