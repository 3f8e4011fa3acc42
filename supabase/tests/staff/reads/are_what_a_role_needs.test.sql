select plan(6);

select bag_eq(
  $$ select tests.table_privileges_of('staff_support') $$,
  array[
    'select app.users(id, created_at, ended_at)', 'select app.profiles(user_id, username, full_name, bio, created_at)',
    'select app.suspensions', 'select app.default_feed_users', 'select staff.accounts', 'select staff.default_feed_users'
  ],
  'support looks accounts up'
);
select bag_eq(
  $$ select tests.table_privileges_of('staff_moderator') $$,
  array[
    'select app.hubs(id, name, description, member_count, closed_at, suspended_at)', 'select app.reports',
    'select app.posts(id, author_id, article_id, thought_text, slider_text)', 'select app.articles(id, url, title, body)',
    'select app.comments(id, author_id, body)', 'select app.messages(id, author_id, body)', 'select staff.reports',
    'select staff.report_queue'
  ],
  'a moderator reads what was reported'
);
select bag_eq(
  $$ select tests.table_privileges_of('staff_admin') $$,
  array[
    'select app.dead_letters(id, notification_id, is_of_stream, attempt_count, failure, died_at)', 'select app.notifications(id, event_id, recipient_id)',
    'select app.events(id, type)', 'select staff.allowed_emails', 'select staff.audit_log', 'select staff.dead_letters'
  ],
  'an admin reads who is staff, what they did, and what could not be sent'
);
select bag_eq(
  $$ select tests.executable_by('staff_support', 'staff') $$,
  array['staff.actor()', 'staff.phone_hint(uuid)', 'staff.find_accounts(text)', 'staff.health()', 'staff.unmask_phone(uuid,text)'], 'what support may do'
);
select bag_eq(
  $$ select tests.executable_by('staff_moderator', 'staff') except select tests.executable_by('staff_support', 'staff') $$,
  array[
    'staff.claimed_by(uuid)', 'staff.claim_report(uuid)', 'staff.release_report(uuid)', 'staff.dismiss_report(uuid,text)', 'staff.remove_content(uuid,text)',
    'staff.suspend_user(uuid,text)', 'staff.restore_user(uuid,text)', 'staff.suspend_hub(uuid,text)', 'staff.restore_hub(uuid,text)',
    'staff.why_visible(uuid,uuid)', 'staff.page_asked(jsonb)'
  ],
  'what a moderator may beside it'
);
select bag_eq(
  $$ select tests.executable_by('staff_admin', 'staff') except select tests.executable_by('staff_moderator', 'staff') $$,
  array[
    'staff.admit(text,staff.role,text)', 'staff.dismiss(text,text)', 'staff.add_default_feed_user(text,text)',
    'staff.remove_default_feed_user(text,text)', 'staff.requeue_dead_letter(uuid)'
  ],
  'and an admin beside that'
);

select * from finish();
