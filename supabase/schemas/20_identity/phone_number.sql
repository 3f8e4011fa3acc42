create domain app.phone_number as text
constraint phone_number_is_e164 check (value ~ '^\+[1-9][0-9]{6,14}$');
comment on domain app.phone_number is 'A phone number in E.164 form.';
