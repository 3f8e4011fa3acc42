-- What staff reads, in one place: nothing else of schema app is theirs, and of these tables no other column.

create policy users_staff_select on app.users for select to staff_support using (true);
grant select (id, created_at, ended_at) on app.users to staff_support;

create policy profiles_staff_select on app.profiles for select to staff_support using (true);
grant select (user_id, username, full_name, bio, created_at) on app.profiles to staff_support;

create policy suspensions_staff_select on app.suspensions for select to staff_support using (true);
grant select on app.suspensions to staff_support;

create policy default_feed_users_staff_select on app.default_feed_users for select to staff_support using (true);
grant select on app.default_feed_users to staff_support;

create policy hubs_staff_select on app.hubs for select to staff_moderator using (true);
grant select (id, name, description, member_count, closed_at, suspended_at) on app.hubs to staff_moderator;

create policy reports_staff_select on app.reports for select to staff_moderator using (true);
grant select on app.reports to staff_moderator;

create policy posts_staff_select on app.posts for select to staff_moderator
using (exists (select from app.reports as r where r.post_id = posts.id));
grant select (id, author_id, article_id, thought_text, slider_text) on app.posts to staff_moderator;

create policy articles_staff_select on app.articles for select to staff_moderator
using (exists (select from app.posts as p where p.article_id = articles.id));
grant select (id, url, title, body) on app.articles to staff_moderator;

create policy comments_staff_select on app.comments for select to staff_moderator
using (exists (select from app.reports as r where r.comment_id = comments.id));
grant select (id, author_id, body) on app.comments to staff_moderator;

create policy messages_staff_select on app.messages for select to staff_moderator
using (exists (select from app.reports as r where r.message_id = messages.id));
grant select (id, author_id, body) on app.messages to staff_moderator;

create policy dead_letters_staff_select on app.dead_letters for select to staff_admin using (true);
grant select (id, notification_id, is_of_stream, attempt_count, failure, died_at) on app.dead_letters to staff_admin;

create policy notifications_staff_select on app.notifications for select to staff_admin
using (exists (select from app.dead_letters as d where d.notification_id = notifications.id));
grant select (id, event_id, recipient_id) on app.notifications to staff_admin;

create policy events_staff_select on app.events for select to staff_admin
using (exists (select from app.notifications as n where n.event_id = events.id));
grant select (id, type) on app.events to staff_admin;

create policy allowed_emails_staff_select on staff.allowed_emails for select to staff_admin using (true);
grant select on staff.allowed_emails to staff_admin;

create policy audit_log_staff_select on staff.audit_log for select to staff_admin using (true);
grant select on staff.audit_log to staff_admin;

grant usage on schema staff to staff_support;
