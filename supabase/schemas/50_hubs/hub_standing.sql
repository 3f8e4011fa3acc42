create type app.hub_standing as (status text, role app.hub_role, invitation_id uuid, join_request_id uuid);
comment on type app.hub_standing is 'What somebody is to a Hub: viewerStatus, viewerRole of a member, and the invitation or join request that is open (contract.md 8).';
