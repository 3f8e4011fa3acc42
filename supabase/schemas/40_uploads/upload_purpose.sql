create type app.upload_purpose as enum ('profile_photo', 'hub_photo', 'post_image', 'document');
comment on type app.upload_purpose is 'What a file is uploaded for (spec.md "Upload").';
