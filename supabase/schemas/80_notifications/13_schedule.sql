-- Without both extensions, another scheduler must call the functions, or a worker must run.
do $$
begin
  if (select count(*) from pg_extension where extname in ('pg_cron', 'pg_net')) = 2 then
    perform cron.schedule('opine-push', '10 seconds', $job$select app.call_function('push')$job$);
    perform cron.schedule('opine-upkeep', '* * * * *', $job$select app.call_function('upkeep')$job$);
  end if;
end
$$;
