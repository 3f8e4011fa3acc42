import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.PostsApi;
import org.openapitools.client.api.SessionsApi;
import org.openapitools.client.api.VotesApi;
import org.openapitools.client.model.CastVoteRequest;
import org.openapitools.client.model.Position;
import org.openapitools.client.model.RequestOtpRequest;
import org.openapitools.client.model.VerifyOtpRequest;

/** Signs in, votes strong_right on the first post of the home feed, and prints the post's id. Args: address, phone number, code. */
public class Walk {
  public static void main(String[] args) throws ApiException {
    var client = new ApiClient().setBasePath(args[0]);
    var sessions = new SessionsApi(client);
    sessions.requestOtp(new RequestOtpRequest().phoneNumber(args[1]));
    var session = sessions.verifyOtp(new VerifyOtpRequest().phoneNumber(args[1]).code(args[2])).getData();
    client.setBearerToken(session.getAccessToken());
    var post = new PostsApi(client).getHomeFeed(null, 1, null, null).getData().getItems().get(0);
    var vote = new CastVoteRequest().position(Position.STRONG_RIGHT);
    System.out.println(new VotesApi(client).castVote(post.getId(), vote, null).getData().getPostId());
  }
}
