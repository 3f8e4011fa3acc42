import { z } from 'zod';
import { areDistinct, HubName, id, text, timestamp, webUrl } from '../../contract/values.ts';
import { altText, ContentType, Purpose, picture } from '../media/schemas.ts';
import { UserLite } from '../people/schemas.ts';
import { VoteDistribution, VoteScope, VoteSummary } from '../votes/schemas.ts';

export const Slider = z
  .strictObject({
    leftLabel: text(1, 40).describe('What the left positions stand for.'),
    rightLabel: text(1, 40).describe('What the right positions stand for.'),
  })
  .meta({ id: 'Slider', description: 'The labels at the ends of a slider.' });

export const Visibility = z.enum(['public', 'public_hub', 'private_locked_hub']).meta({
  id: 'Visibility',
  description:
    '`public` and `public_hub` are for everybody, `private_locked_hub` is for members of its Hubs alone.',
});

const hasOneOf = (keys: readonly string[]) => (value: object) =>
  keys.some((key) => Reflect.get(value, key) !== undefined && Reflect.get(value, key) !== null);

const NewArticle = z
  .strictObject({
    url: webUrl.nullish().describe('Has a host and no user.'),
    title: text(1, 300).nullish().describe('Its title.'),
    text: text(1, 10_000).nullish().describe('Its body.'),
    assetIds: z
      .array(id)
      .max(10)
      .refine(areDistinct, { message: 'Each may be there once.' })
      .nullish()
      .meta({ description: "The caller's completed uploads: post_image or document." }),
    media: z
      .array(
        z
          .strictObject({
            assetId: id.describe("A completed post_image or document of the caller's."),
            altText,
          })
          .meta({ id: 'NewArticleMedia', description: 'A picture or document of a new article.' }),
      )
      .max(10)
      .refine((media) => areDistinct(media.map(({ assetId }) => assetId)), {
        message: 'Each may be there once.',
      })
      .nullish()
      .meta({ description: 'Stands in place of assetIds.' }),
  })
  .refine(({ assetIds, media }) => !assetIds || !media, {
    path: ['media'],
    message: 'Choose pictures once: as media or by their ids.',
  })
  .refine(
    (article) =>
      hasOneOf(['url', 'title', 'text'])(article) || (article.assetIds ?? article.media ?? []).length > 0,
    { message: 'An article needs a link, a title, a text or a picture.' },
  )
  .meta({ id: 'NewArticle', description: 'An article: a URL, a title, a text or media, at least one.' });

const postFields = {
  thoughtText: text(1, 2000).nullish().describe("The author's words; `@username` mentions that person."),
  sliderText: text(1, 260).nullish().describe('The prompt to vote on; a post without one has no slider.'),
  slider: Slider.nullish().describe('Needs a `sliderText`; the default labels are "Disagree" and "Agree".'),
  visibility: Visibility,
  hubIds: z
    .array(id)
    .max(20)
    .refine(areDistinct, { message: 'Each may be there once.' })
    .nullish()
    .describe('Hubs of the author: none for a public post, 1 to 20 for any other.'),
};

interface PostInput {
  readonly sliderText?: string | null | undefined;
  readonly slider?: object | null | undefined;
  readonly visibility: string;
  readonly hubIds?: readonly string[] | null | undefined;
}

/** Adds the rules between the fields of a post or repost. */
function withPostRules<Schema extends z.ZodType<PostInput>>(schema: Schema): Schema {
  return schema
    .refine((post) => !post.slider || post.sliderText, {
      path: ['slider'],
      message: 'A slider needs a question.',
    })
    .refine((post) => (post.visibility === 'public') === ((post.hubIds ?? []).length === 0), {
      path: ['hubIds'],
      message: 'A public post is in no Hub. Any other needs 1 to 20 Hubs.',
    });
}

/** The body of POST /posts. */
export const NewPost = withPostRules(
  z
    .strictObject({
      article: NewArticle.nullish().describe('The article that the post shows.'),
      ...postFields,
    })
    .refine(hasOneOf(['article', 'thoughtText', 'sliderText']), {
      message: 'Write a thought, ask a question, or add a link or a picture.',
    }),
).meta({ id: 'NewPost', description: 'A post: an article, a thought and a slider, at least one of them.' });

/** The body of POST /posts/{postId}/reposts. */
export const NewRepost = withPostRules(
  z
    .strictObject(postFields)
    .refine(hasOneOf(['thoughtText', 'sliderText']), { message: 'Write a thought or ask a question.' }),
).meta({ id: 'NewRepost', description: 'A repost: a thought, a slider or both.' });

/** The body of POST /posts/{postId}/share/hubs. */
export const HubShare = z
  .strictObject({
    hubIds: z
      .array(id)
      .min(1)
      .max(20)
      .refine(areDistinct, { message: 'Each may be there once.' })
      .describe('The caller is a member of each.'),
  })
  .meta({ id: 'HubShare', description: 'The Hubs to share a post into.' });

const ArticleMedia = z
  .strictObject({
    assetId: id.describe('The id for which to request a download URL.'),
    purpose: Purpose,
    contentType: ContentType,
    altText: z
      .string()
      .nullable()
      .describe('Describes the file for people who cannot see it; null without one.'),
    ...picture,
  })
  .meta({ id: 'ArticleMedia', description: 'A picture or document of an article.' });

const Article = z
  .strictObject({
    id: id.describe('The id of the article, not of its post.'),
    url: z.string().nullable().describe('Null without a link.'),
    title: z.string().nullable().describe('Null without a title.'),
    text: z.string().nullable().describe('The body of the article; null without one.'),
    media: z.array(ArticleMedia).describe("Pictures and documents in the author's order, at most ten."),
  })
  .meta({ id: 'Article', description: 'The article of a post.' });

const SourcePost = z
  .strictObject({
    article: Article.nullable().describe('Null without an article.'),
    thoughtText: z.string().nullable().describe('Null without a thought.'),
    sliderText: z.string().nullable().describe('The prompt of the slider; null without a slider.'),
    slider: Slider.nullable().describe('Null without a slider.'),
    isShareable: z.boolean().describe('Whether the original can be reposted and shared.'),
  })
  .meta({
    id: 'SourcePost',
    description: 'The original of a repost; null where it is deleted or hidden from the viewer.',
  });

const ViewerVote = z
  .strictObject({
    hasVoted: z.boolean().describe('False for a guest.'),
    votedAt: timestamp.nullable().describe('To the minute; null without a vote.'),
  })
  .meta({ id: 'ViewerVote', description: 'Whether and when the viewer has voted, never the position.' });

export const PostCard = z
  .strictObject({
    id: id.describe('The id of the post, repost included.'),
    author: UserLite,
    createdAt: timestamp.describe('Time of publication.'),
    article: Article.nullable().describe('Null without an article; a repost has none.'),
    thoughtText: z.string().nullable().describe('Null without a thought.'),
    sliderText: z.string().nullable().describe('The prompt to vote on; null without a slider.'),
    slider: Slider.nullable().describe('Null without a slider.'),
    visibility: Visibility,
    hubs: z.array(HubName).describe('Hubs of the post of which the viewer is a member, first placed first.'),
    sourcePostId: id
      .nullable()
      .describe('The original of a repost, also when it is deleted; null for an original.'),
    sourcePost: SourcePost.nullable().describe(
      'Null for an original, and where the original of a repost is deleted or hidden from the viewer.',
    ),
    isShareable: z
      .boolean()
      .describe('True for a public post, and for a private one with several target Hubs.'),
    viewerVote: ViewerVote.nullable().describe('Null without a slider.'),
    voteScope: VoteScope.nullable().describe('The scope of the results on the card; null without a slider.'),
    voteSummary: VoteSummary.nullable().describe('The result in `voteScope`; null without a slider.'),
    voteDistribution: VoteDistribution.optional(),
    commentCount: z
      .int()
      .describe('Comments and replies that are not deleted; the same number for everybody.'),
    repostCount: z.int().describe('Reposts that are not deleted; the same number for everybody.'),
    viewerSaved: z.boolean().describe('Whether the viewer has saved the post; false for a guest.'),
    authorPhoneNumber: z.string().optional().meta({
      description:
        'Present on a locked post, for members of the Hub while the author is a member; never in searches and profile feeds.',
    }),
  })
  .meta({ id: 'PostCard', description: 'A post as lists show it.' });

const FeedContext = z
  .enum([
    'own_post',
    'followed_author',
    'hub_co_member_author',
    'joined_hub_post',
    'friend_interaction',
    'shared_to_hub',
    'default_feed_user',
  ])
  .meta({
    id: 'FeedContext',
    description:
      'The first of these reasons for which a post is in a feed. Friends are followed people and co-members.',
  });

/** An item of a feed (docs/product.md F10). */
export const FeedCard = PostCard.extend({ feedContext: FeedContext }).meta({
  id: 'FeedCard',
  description: 'A card with the reason why it is in the feed.',
});

const PostPermissions = z
  .strictObject({
    canVote: z
      .boolean()
      .describe(
        'Needs a slider, no earlier vote, and level 2; a private post level 4 and membership in its Hub.',
      ),
    canComment: z.boolean().describe('Needs a post that is not private, and level 2.'),
    canRepost: z.boolean().describe('Needs a shareable original, and level 3; a private one level 4.'),
    canShareToFeed: z.boolean().describe('Needs level 2.'),
    canShareToHubs: z.boolean().describe('Needs a shareable post, and level 4.'),
    canDelete: z.boolean().describe('True for the author alone.'),
  })
  .meta({ id: 'PostPermissions', description: 'What the viewer may do with the post now.' });

export const PostDetail = PostCard.extend({ permissions: PostPermissions }).meta({
  id: 'PostDetail',
  description: 'A post with the permissions of the viewer.',
});
