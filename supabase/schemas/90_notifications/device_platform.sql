create type app.device_platform as enum ('android', 'ios');
comment on type app.device_platform is 'Whose push service a device token is of (spec.md "Device token").';
