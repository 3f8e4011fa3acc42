create policy reports_select on app.reports for select to authenticated
using (reporter_id = (select app.user_id()));

create policy reports_insert on app.reports for insert to authenticated
with check (reporter_id = (select app.user_id()));

create policy decisions_select on app.decisions for select to authenticated
using (id in (select own.decision_id from app.decision_subjects as own where own.user_id = (select app.user_id())));

create policy decision_subjects_select on app.decision_subjects for select to authenticated
using (user_id = (select app.user_id()));

create policy appeals_select on app.appeals for select to authenticated
using (
  decision_id in (select own.decision_id from app.decision_subjects as own where own.user_id = (select app.user_id()))
);

create policy appeals_insert on app.appeals for insert to authenticated
with check (
  user_id = (select app.user_id())
  and decision_id in (
    select own.decision_id from app.decision_subjects as own where own.user_id = (select app.user_id())
  )
);

-- All that staff reads of schema app: these rows, and the columns granted in 10_reads.sql.

create policy users_staff_select on app.users for select to staff_support using (true);

create policy profiles_staff_select on app.profiles for select to staff_support using (true);

create policy suspensions_staff_select on app.suspensions for select to staff_support using (true);

create policy default_feed_users_staff_select on app.default_feed_users for select to staff_support using (true);

create policy hubs_staff_select on app.hubs for select to staff_moderator using (true);

create policy reports_staff_select on app.reports for select to staff_moderator using (true);

create policy evidence_staff_select on app.evidence for select to staff_moderator using (true);

create policy posts_staff_select on app.posts for select to staff_moderator
using (exists (select from app.reports as r where r.post_id = posts.id));

create policy articles_staff_select on app.articles for select to staff_moderator
using (exists (select from app.posts as p where p.article_id = articles.id));

create policy comments_staff_select on app.comments for select to staff_moderator
using (exists (select from app.reports as r where r.comment_id = comments.id));

create policy messages_staff_select on app.messages for select to staff_moderator
using (exists (select from app.reports as r where r.message_id = messages.id));

create policy decisions_staff_select on app.decisions for select to staff_moderator using (true);

create policy decision_subjects_staff_select on app.decision_subjects for select to staff_moderator using (true);

create policy appeals_staff_select on app.appeals for select to staff_moderator using (true);

create policy removed_contents_staff_select on app.removed_contents for select to staff_moderator using (true);

create policy blocked_terms_staff_select on staff.blocked_terms for select to staff_moderator using (true);

create policy dead_letters_staff_select on app.dead_letters for select to staff_admin using (true);

create policy notifications_staff_select on app.notifications for select to staff_admin
using (exists (select from app.dead_letters as d where d.notification_id = notifications.id));

create policy events_staff_select on app.events for select to staff_admin
using (exists (select from app.notifications as n where n.event_id = events.id));

create policy allowed_emails_staff_select on staff.allowed_emails for select to staff_admin using (true);

create policy logins_staff_select on staff.logins for select to staff_admin using (true);

create policy audit_log_staff_select on staff.audit_log for select to staff_admin using (true);
