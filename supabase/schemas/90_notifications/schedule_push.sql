-- Where a project has neither, something else has to call the function, or a worker runs.
do $$
begin
  if (select count(*) from pg_extension where extname in ('pg_cron', 'pg_net')) = 2 then
    perform cron.schedule('opine-push', '10 seconds', 'select app.call_push()');
  end if;
end
$$;
