import { z } from 'zod';
import { areDistinct, HubName, id, text, timestamp, webUrl } from '../../contract/values.ts';
import { altText, ContentType, Purpose, picture } from '../media/schemas.ts';
import { UserLite } from '../people/schemas.ts';
import { VoteDistribution, VoteScope, VoteSummary } from '../votes/schemas.ts';

/** The labels of a slider. */
export const Slider = z
  .strictObject({ leftLabel: text(1, 40), rightLabel: text(1, 40) })
  .meta({ id: 'Slider' });

/** The visibility of a post. */
export const Visibility = z.enum(['public', 'public_hub', 'private_locked_hub']).meta({ id: 'Visibility' });

const hasOneOf = (keys: readonly string[]) => (value: object) =>
  keys.some((key) => Reflect.get(value, key) !== undefined && Reflect.get(value, key) !== null);

const NewArticle = z
  .strictObject({
    url: webUrl.nullish(),
    title: text(1, 300).nullish(),
    text: text(1, 10_000).nullish(),
    assetIds: z
      .array(id)
      .max(10)
      .refine(areDistinct, { message: 'Must be distinct.' })
      .nullish()
      .meta({ description: "The caller's completed uploads: post_image or document." }),
    media: z
      .array(z.strictObject({ assetId: id, altText }).meta({ id: 'NewArticleMedia' }))
      .max(10)
      .refine((media) => areDistinct(media.map(({ assetId }) => assetId)), { message: 'Must be distinct.' })
      .nullish()
      .meta({ description: 'Stands in place of assetIds.' }),
  })
  .refine(({ assetIds, media }) => !assetIds || !media, {
    path: ['media'],
    message: 'Stands in place of assetIds.',
  })
  .refine(
    (article) =>
      hasOneOf(['url', 'title', 'text'])(article) || (article.assetIds ?? article.media ?? []).length > 0,
    { message: 'Needs a url, a title, a text or media.' },
  )
  .meta({ id: 'NewArticle' });

const postFields = {
  thoughtText: text(1, 2000).nullish(),
  sliderText: text(1, 260).nullish(),
  slider: Slider.nullish(),
  visibility: Visibility,
  hubIds: z.array(id).max(20).refine(areDistinct, { message: 'Must be distinct.' }).nullish(),
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
    .refine((post) => !post.slider || post.sliderText, { path: ['slider'], message: 'Needs a sliderText.' })
    .refine((post) => (post.visibility === 'public') === ((post.hubIds ?? []).length === 0), {
      path: ['hubIds'],
      message: 'A public post has no hubIds, any other 1 to 20.',
    });
}

/** The body of POST /posts. */
export const NewPost = withPostRules(
  z
    .strictObject({ article: NewArticle.nullish(), ...postFields })
    .refine(hasOneOf(['article', 'thoughtText', 'sliderText']), {
      message: 'Needs an article, a thoughtText or a sliderText.',
    }),
).meta({ id: 'NewPost' });

/** The body of POST /posts/{postId}/reposts. */
export const NewRepost = withPostRules(
  z
    .strictObject(postFields)
    .refine(hasOneOf(['thoughtText', 'sliderText']), { message: 'Needs a thoughtText or a sliderText.' }),
).meta({ id: 'NewRepost' });

/** The body of POST /posts/{postId}/share/hubs. */
export const HubShare = z
  .strictObject({ hubIds: z.array(id).min(1).max(20).refine(areDistinct, { message: 'Must be distinct.' }) })
  .meta({ id: 'HubShare' });

const ArticleMedia = z
  .strictObject({
    assetId: id,
    purpose: Purpose,
    contentType: ContentType,
    altText: z.string().nullable(),
    ...picture,
  })
  .meta({ id: 'ArticleMedia' });

const Article = z
  .strictObject({
    id,
    url: z.string().nullable(),
    title: z.string().nullable(),
    text: z.string().nullable(),
    media: z.array(ArticleMedia),
  })
  .meta({ id: 'Article' });

const SourcePost = z
  .strictObject({
    article: Article.nullable(),
    thoughtText: z.string().nullable(),
    sliderText: z.string().nullable(),
    slider: Slider.nullable(),
    isShareable: z.boolean(),
  })
  .meta({
    id: 'SourcePost',
    description: 'The original of a repost; null where it is deleted or hidden from the viewer.',
  });

/** Whether and when the viewer has voted, never the position. */
const ViewerVote = z
  .strictObject({ hasVoted: z.boolean(), votedAt: timestamp.nullable() })
  .meta({ id: 'ViewerVote' });

/** A post as feeds show it. */
export const PostCard = z
  .strictObject({
    id,
    author: UserLite,
    createdAt: timestamp,
    article: Article.nullable(),
    thoughtText: z.string().nullable(),
    sliderText: z.string().nullable(),
    slider: Slider.nullable(),
    visibility: Visibility,
    hubs: z.array(HubName),
    sourcePostId: id.nullable(),
    sourcePost: SourcePost.nullable(),
    isShareable: z.boolean(),
    viewerVote: ViewerVote.nullable(),
    voteScope: VoteScope.nullable(),
    voteSummary: VoteSummary.nullable(),
    voteDistribution: VoteDistribution.optional(),
    commentCount: z.int(),
    repostCount: z.int(),
    viewerSaved: z.boolean(),
    authorPhoneNumber: z.string().optional().meta({
      description:
        'Present on a locked post (private, in one Hub), for members of the Hub while the author is a member; never in searches and profile feeds.',
    }),
  })
  .meta({ id: 'PostCard' });

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
  .meta({ id: 'FeedContext' });

/** A card in a feed, with the first reason that applies (docs/product.md F10). */
export const FeedCard = PostCard.extend({ feedContext: FeedContext }).meta({ id: 'FeedCard' });

const PostPermissions = z
  .strictObject({
    canVote: z.boolean(),
    canComment: z.boolean(),
    canRepost: z.boolean(),
    canShareToFeed: z.boolean(),
    canShareToHubs: z.boolean(),
    canDelete: z.boolean(),
  })
  .meta({ id: 'PostPermissions' });

/** A post with the permissions of the viewer. */
export const PostDetail = PostCard.extend({ permissions: PostPermissions }).meta({ id: 'PostDetail' });
