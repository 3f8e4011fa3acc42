import type { ArticleMedia, Asset, UploadPurpose } from '@opine/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { opine, useAct } from './api.ts';
import { useUserId } from './tokens.ts';
import { Button, Field, LinkButton, Out } from './ui.tsx';

/** A picture or document as far as it is known. A comment says its id only. */
type Media = Pick<ArticleMedia, 'assetId'> & Partial<ArticleMedia>;

// Links live five minutes.
const LINK_MS = 4 * 60_000;

const MAX_PICTURES = 10;

/** Returns a link to a private file, or undefined until there is one. A guest gets none. */
function useFileUrl(assetId: string): string | undefined {
  const userId = useUserId();
  const { data } = useQuery({
    queryKey: ['file', assetId],
    queryFn: () => opine.get('/uploads/{assetId}/download-url', { params: { path: { assetId } } }),
    enabled: userId !== null,
    staleTime: LINK_MS,
    gcTime: LINK_MS,
  });
  return data?.url;
}

/** The pictures and documents of a post, or the picture of a comment. @param of the name of their author */
export function Pictures({ media, of }: { media: readonly Media[]; of: string }) {
  if (media.length === 0) return null;
  return (
    <div className="pictures">
      {media.map((one) => (
        <Picture key={one.assetId} media={one} alt={`Picture by ${of || 'somebody'}`} />
      ))}
    </div>
  );
}

/** Keeps the picture's place and colour until it is there, so that nothing jumps. */
function Picture({ media, alt }: { media: Media; alt: string }) {
  const { assetId, contentType, width, height, blurhash } = media;
  const url = useFileUrl(assetId);
  const isGuest = useUserId() === null;
  if (contentType === 'application/pdf') return <Out href={url ?? ''}>Open the document</Out>;
  const style = { aspectRatio: `${width ?? 4} / ${height ?? 3}`, backgroundColor: colorOf(blurhash ?? null) };
  return (
    <div className="picture" style={style}>
      {url !== undefined && <img src={url} alt={alt} loading="lazy" />}
      {isGuest && <LinkButton to="/sign-in">Sign in to see the picture</LinkButton>}
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

/** Uploads pictures as soon as they are chosen, and shows them. @param onChange takes all that are uploaded */
export function PicturePicker(props: {
  label: string;
  purpose: Extract<UploadPurpose, 'post_image' | 'profile_photo'>;
  onChange: (assets: readonly Asset[]) => void;
}) {
  const { label, purpose, onChange } = props;
  const [assets, setAssets] = useState<readonly Asset[]>([]);
  const [progress, setProgress] = useState(0);
  const change = (next: readonly Asset[]) => {
    setAssets(next);
    onChange(next);
  };
  const upload = useAct(
    (file: File) => opine.upload(file, { purpose, onProgress: (sent, total) => setProgress(sent / total) }),
    (asset) => change(purpose === 'post_image' ? [...assets, asset] : [asset]),
  );
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
