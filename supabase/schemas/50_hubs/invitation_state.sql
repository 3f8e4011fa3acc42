create type app.invitation_state as enum ('pending', 'accepted', 'declined', 'expired');
comment on type app.invitation_state is 'What became of an invitation (contract.md 8).';
