import { z } from 'zod';
import { id, text, timestamp, webUrl } from '../values.ts';
import { ContentType, Purpose, picture } from './uploads.ts';
import { UserLite } from './users.ts';
import { VoteDistribution, VoteScope, VoteSummary } from './votes.ts';

const Slider = z.strictObject({ leftLabel: text(1, 40), rightLabel: text(1, 40) }).meta({ id: 'Slider' });

const Visibility = z.enum(['public', 'public_hub', 'private_locked_hub']).meta({ id: 'Visibility' });

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
      .refine((ids) => new Set(ids).size === ids.length, { message: 'Must be distinct.' })
      .nullish()
      .meta({ description: "Completed uploads of one's own: post_image or document." }),
  })
  .refine((article) => hasOneOf(['url', 'title', 'text'])(article) || (article.assetIds ?? []).length > 0, {
    message: 'Needs a url, a title, a text or assetIds.',
  })
  .meta({ id: 'NewArticle' });

/** The body of POST /posts. */
export const NewPost = z
  .strictObject({
    article: NewArticle.nullish(),
    thoughtText: text(1, 2000).nullish(),
    sliderText: text(1, 260).nullish(),
    slider: Slider.nullish(),
    visibility: Visibility,
    hubIds: z.array(id).max(20).nullish(),
  })
  .refine(hasOneOf(['article', 'thoughtText', 'sliderText']), {
    message: 'Needs an article, a thoughtText or a sliderText.',
  })
  .refine((post) => !post.slider || post.sliderText, { path: ['slider'], message: 'Needs a sliderText.' })
  .refine((post) => (post.visibility === 'public') === ((post.hubIds ?? []).length === 0), {
    path: ['hubIds'],
    message: 'A public post has no hubIds, any other 1 to 20.',
  })
  .refine((post) => new Set(post.hubIds).size === (post.hubIds ?? []).length, {
    path: ['hubIds'],
    message: 'Must be distinct.',
  })
  .meta({ id: 'NewPost' });

const Article = z
  .strictObject({
    id,
    url: z.string().nullable(),
    title: z.string().nullable(),
    text: z.string().nullable(),
    media: z.array(z.strictObject({ assetId: id, purpose: Purpose, contentType: ContentType, ...picture })),
  })
  .meta({ id: 'Article' });

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
    hubs: z.array(z.strictObject({ id, name: z.string() })),
    sourcePostId: id.nullable(),
    sourcePost: z.null(),
    isShareable: z.boolean(),
    viewerVote: z.strictObject({ hasVoted: z.boolean(), votedAt: timestamp.nullable() }).nullable(),
    voteScope: VoteScope.nullable(),
    voteSummary: VoteSummary.nullable(),
    voteDistribution: VoteDistribution.optional(),
    commentCount: z.int(),
    repostCount: z.int(),
    viewerSaved: z.boolean(),
  })
  .meta({ id: 'PostCard' });

/** A card in the home feed, with the reason why it is there. */
export const FeedCard = PostCard.extend({
  feedContext: z.enum(['own_post', 'followed_author', 'joined_hub_post', 'default_feed_user']),
}).meta({
  id: 'FeedCard',
});

/** A post on its own. */
export const PostDetail = PostCard.extend({
  permissions: z.strictObject({
    canVote: z.boolean(),
    canComment: z.boolean(),
    canRepost: z.boolean(),
    canShareToFeed: z.boolean(),
    canShareToHubs: z.boolean(),
    canDelete: z.boolean(),
  }),
}).meta({ id: 'PostDetail' });
