create type app.audience as enum ('everybody', 'hub_ready', 'hub_member', 'target_member', 'nobody');
comment on type app.audience is 'What a recipient must be to see a notification (spec.md "Visibility and mute"): nothing more; Hub-ready; an active member of its Hub as well; one of a Hub that its post is for. What is malformed is for nobody.';
