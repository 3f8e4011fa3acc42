grant select (id, created_at, ended_at) on app.users to staff_support;

grant select on app.suspensions to staff_support;

grant select on app.default_feed_users to staff_support;

grant select (id, name, description, member_count, closed_at, suspended_at) on app.hubs to staff_moderator;

grant select on app.reports to staff_moderator;

grant select on app.evidence to staff_moderator;

grant select (id, author_id, article_id, thought_text, slider_text, removed_at) on app.posts to staff_moderator;

grant select (id, url, title, body) on app.articles to staff_moderator;

grant select (id, author_id) on app.comments to staff_moderator;

grant select (id, author_id, is_deleted) on app.messages to staff_moderator;

grant select on app.decisions to staff_moderator;

grant select on app.decision_subjects to staff_moderator;

grant select on app.appeals to staff_moderator;

grant select (decision_id, body, alt_text) on app.removed_contents to staff_moderator;

grant select (id, notification_id, is_of_stream, attempt_count, failure, died_at) on app.dead_letters to staff_admin;

grant select (id, event_id, recipient_id) on app.notifications to staff_admin;

grant select (id, type) on app.events to staff_admin;

grant select on staff.allowed_emails to staff_admin;

grant select on staff.logins to staff_admin;

grant select on staff.audit_log to staff_admin;

grant usage on schema staff to staff_support;
