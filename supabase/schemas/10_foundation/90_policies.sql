create policy clock_select on app.clock for select to anon, authenticated using (true);
