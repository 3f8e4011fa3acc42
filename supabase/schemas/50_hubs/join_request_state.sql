create type app.join_request_state as enum ('pending_admin_approval', 'approved', 'rejected');
comment on type app.join_request_state is 'What became of a join request (contract.md 8).';
