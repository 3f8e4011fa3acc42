create function app.is_reserved_handle(p_handle text)
returns boolean
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select replace(p_handle, '_', '') = any (array[
    'abuse', 'account', 'admin', 'administrator', 'all', 'anonymous', 'api', 'app', 'auth', 'billing', 'blog', 'bot', 'contact',
    'deleted', 'developer', 'everybody', 'everyone', 'feed', 'guest', 'help', 'here', 'home', 'hostmaster', 'hub', 'hubs', 'info',
    'legal', 'login', 'logout', 'mail', 'me', 'mod', 'moderator', 'moderators', 'myself', 'news', 'nobody', 'none', 'noreply',
    'notifications', 'null', 'official', 'opine', 'opineadmin', 'opineapp', 'opinehelp', 'opineofficial', 'opineofficials',
    'opinestaff', 'opinesupport', 'opineteam', 'owner', 'postmaster', 'post', 'posts', 'press', 'privacy', 'profile', 'register',
    'root', 'safety', 'search', 'security', 'service', 'settings', 'signin', 'signup', 'staff', 'status', 'support', 'sysadmin',
    'system', 'team', 'terms', 'undefined', 'unknown', 'user', 'username', 'users', 'verified', 'webmaster', 'www'
  ]);
end;
comment on function app.is_reserved_handle(text) is 'Whether a canonical handle is one that nobody may take: names of the service, its staff and its pages, with underscores anywhere.';

revoke all on function app.is_reserved_handle(text) from public;
grant execute on function app.is_reserved_handle(text) to authenticated;
