create type app.person_hit as (tier integer, key text, user_id uuid);
comment on type app.person_hit is 'Somebody whom a search found: how well it fits (tier, the lowest best) and the place within the tier (key, then id).';
