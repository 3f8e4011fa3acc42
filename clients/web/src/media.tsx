import { type ArticleMedia, type Asset, isOpineError, type UploadPurpose } from '@opine/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { opine, useSubmit } from './api.ts';
import { issuesOf, messageOf } from './errors.ts';
import { Field, useWait } from './form.tsx';
import { Button, ExternalLink } from './ui.tsx';

/** A picture or document as far as it is known. */
type Media = Pick<ArticleMedia, 'assetId'> & Partial<ArticleMedia>;

// Links live 15 minutes at least.
const LINK_MS = 14 * 60_000;

const MAX_PICTURES = 10;

type Variant = 'thumbnail' | 'original';
type Link = PromiseWithResolvers<string | null> & { readonly assetId: string };

const wanted: Record<Variant, Link[]> = { thumbnail: [], original: [] };

/** Returns the link to a file; null without one. Files that appear together, as on a page of cards, share a request. */
function linkOf(assetId: string, variant: Variant): Promise<string | null> {
  const link = { ...Promise.withResolvers<string | null>(), assetId };
  if (wanted[variant].push(link) === 1) setTimeout(requestLinks, 0, variant);
  return link.promise;
}

function requestLinks(variant: Variant): void {
  const batch = wanted[variant].splice(0, 50);
  if (wanted[variant].length > 0) setTimeout(requestLinks, 0, variant);
  const body = { assetIds: batch.map(({ assetId }) => assetId), variant };
  const links = opine.post('/uploads/download-urls', { body });
  const urls = links.then(({ items }) => new Map(items.map(({ assetId, url }) => [assetId, url])));
  for (const { assetId, resolve } of batch) resolve(urls.then((known) => known.get(assetId) ?? null));
}

/** The pictures and documents of a post, or the picture of a comment. @param of the name of their author */
export function Pictures({ media, of }: { media: readonly Media[]; of: string }) {
  return media.map((one) => <MediaEntry key={one.assetId} media={one} of={of} />);
}

/** A picture keeps its place and colour until it is there, so that nothing jumps. */
function MediaEntry({ media, of }: { media: Media; of: string }) {
  const { assetId, altText, contentType, width, height, blurhash } = media;
  // What has no blurhash is a document or a very large picture, and has no thumbnail.
  const queryFn = () => linkOf(assetId, blurhash ? 'thumbnail' : 'original');
  const { data: url } = useQuery({
    queryKey: ['file', assetId],
    queryFn,
    staleTime: LINK_MS,
    gcTime: LINK_MS,
  });
  if (contentType === 'application/pdf')
    return url && <ExternalLink href={url}>Open the document</ExternalLink>;
  const style = { aspectRatio: `${width ?? 4} / ${height ?? 3}`, backgroundColor: colorOf(blurhash ?? null) };
  return (
    <div className="picture" style={style}>
      {url && <img src={url} alt={altText ?? `Picture by ${of || 'somebody'}`} loading="lazy" />}
    </div>
  );
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~';

/** Returns the average colour of a blurhash: its characters 3 to 6, in base 83. */
function colorOf(blurhash: string | null): string | undefined {
  if (blurhash === null) return undefined;
  const value = [...blurhash.slice(2, 6)].reduce((sum, digit) => sum * 83 + DIGITS.indexOf(digit), 0);
  return `#${value.toString(16).padStart(6, '0')}`;
}

const TOO_LARGE = 'Choose a picture of at most 10 MB and 120 megapixels.';

/** Why a picture is refused, by the field of the request or the cause in the answer. */
const REFUSALS: Readonly<Record<string, string>> = {
  contentType: 'Choose a JPEG, PNG or WebP picture.',
  sizeBytes: TOO_LARGE,
  too_large: TOO_LARGE,
  not_decodable: 'This file is not a picture that we can read.',
  other_type: 'This file is not of the type that its name says.',
};

function refusalOf(error: Error): string {
  const causes = isOpineError(error) ? [error.details.cause, ...Object.keys(issuesOf(error))] : [];
  return causes.map((cause) => REFUSALS[String(cause)]).find(Boolean) ?? messageOf(error);
}

/** Uploads pictures as soon as they are chosen, and shows them. Their form waits for them. @param onChange takes all that are uploaded */
export function PicturePicker(props: {
  label: string;
  purpose: Exclude<UploadPurpose, 'document'>;
  onChange: (assets: readonly Asset[]) => void;
}) {
  const { label, purpose, onChange } = props;
  const [assets, setAssets] = useState<readonly Asset[]>([]);
  const [progress, setProgress] = useState(0);
  const change = (next: readonly Asset[]) => {
    setAssets(next);
    onChange(next);
  };
  const upload = useSubmit(
    (file: File) => opine.upload(file, { purpose, onProgress: (sent, total) => setProgress(sent / total) }),
    (asset) => change(purpose === 'post_image' ? [...assets, asset] : [asset]),
  );
  useWait(upload.isPending);
  return (
    <>
      <Pictures media={assets} of="you" />
      {assets.length > 0 && <Button onClick={() => change([])}>Remove the pictures</Button>}
      {assets.length < MAX_PICTURES && (
        <Field
          label={label}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          disabled={upload.isPending}
          issue={upload.error === null ? undefined : refusalOf(upload.error)}
          onChange={({ target }) => {
            if (target.files?.[0] !== undefined) upload.mutate(target.files[0]);
            target.value = '';
          }}
        />
      )}
      {upload.isPending && <progress value={progress} aria-label="Upload" />}
    </>
  );
}
