"""Signs in, votes strong_right on the first post of the home feed, and prints the post's id. Args: address, phone number, code."""

import sys

from openapi_client import (
    ApiClient,
    CastVoteRequest,
    Configuration,
    Position,
    PostsApi,
    RequestOtpRequest,
    SessionsApi,
    VerifyOtpRequest,
    VotesApi,
)

address, phone_number, code = sys.argv[1:]
client = ApiClient(Configuration(host=address))
sessions = SessionsApi(client)
sessions.request_otp(RequestOtpRequest(phone_number=phone_number))
session = sessions.verify_otp(VerifyOtpRequest(phone_number=phone_number, code=code)).data
client.configuration.access_token = session.access_token
post = PostsApi(client).get_home_feed(limit=1).data.items[0]
vote = CastVoteRequest(position=Position.STRONG_RIGHT)
print(VotesApi(client).cast_vote(post.id, vote).data.post_id)
