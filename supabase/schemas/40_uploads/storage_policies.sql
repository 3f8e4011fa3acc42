-- Restrictive: whatever other policies a project has on its storage, they open none of these buckets. The service reads
-- and writes past them, clients come with signed URLs, and what is public is read by its URL alone.
create policy opine_buckets_are_closed on storage.objects as restrictive for all to anon, authenticated
using (bucket_id not in ('uploads', 'photos', 'media'))
with check (bucket_id not in ('uploads', 'photos', 'media'));
