create type app.post_visibility as enum ('public', 'public_hub', 'private_locked_hub');
comment on type app.post_visibility is 'Where a post appears (spec.md "Post visibility rules").';
