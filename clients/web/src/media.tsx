import type { ArticleMedia, UploadPurpose } from '@opine/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { opine } from './api.ts';
import { useUserId } from './tokens.ts';
import { Button } from './ui.tsx';

/** A picture or document as far as it is known. A comment says its id only. */
type Media = Pick<ArticleMedia, 'assetId'> & Partial<ArticleMedia>;

// Links live five minutes.
const LINK_MS = 4 * 60_000;

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
      {media.map((one) =>
        one.contentType === 'application/pdf' ? (
          <Document key={one.assetId} assetId={one.assetId} />
        ) : (
          <Picture key={one.assetId} media={one} alt={`Picture by ${of || 'somebody'}`} />
        ),
      )}
    </div>
  );
}

/** Keeps the picture's place and colour until it is there, so that nothing jumps. */
function Picture({ media: { assetId, width, height, blurhash }, alt }: { media: Media; alt: string }) {
  const url = useFileUrl(assetId);
  const isGuest = useUserId() === null;
  const style = { aspectRatio: `${width ?? 4} / ${height ?? 3}`, backgroundColor: colorOf(blurhash ?? null) };
  return (
    <div className="picture" style={style}>
      {url !== undefined && <img src={url} alt={alt} loading="lazy" />}
      {isGuest && <a href="#/sign-in">Sign in to see the picture</a>}
    </div>
  );
}

function Document({ assetId }: { assetId: string }) {
  const url = useFileUrl(assetId);
  if (url === undefined) return <p className="hint">A document</p>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      Open the document
    </a>
  );
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~';

/** Returns the average colour of a blurhash: its characters 3 to 6, in base 83. */
function colorOf(blurhash: string | null): string | undefined {
  if (blurhash === null) return undefined;
  const value = [...blurhash.slice(2, 6)].reduce((sum, digit) => sum * 83 + DIGITS.indexOf(digit), 0);
  return `#${value.toString(16).padStart(6, '0')}`;
}

/** A file that is uploaded: enough to attach it. */
export interface Uploaded {
  readonly assetId: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly blurhash: string | null;
}

/** Uploads a picture as soon as it is chosen, and shows the progress. */
export function PicturePicker(props: {
  label: string;
  purpose: Extract<UploadPurpose, 'post_image' | 'profile_photo' | 'hub_photo'>;
  onUploaded: (asset: Uploaded) => void;
}) {
  const { label, purpose, onUploaded } = props;
  const [progress, setProgress] = useState(0);
  const upload = useMutation({
    mutationFn: (file: File) =>
      opine.upload(file, { purpose, onProgress: (sent, total) => setProgress(sent / total) }),
    onSuccess: onUploaded,
  });
  return (
    <div className="field">
      <label>
        <span>{label}</span>
        <input
          type="file"
          accept="image/jpeg,image/png,image/webp"
          disabled={upload.isPending}
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file !== undefined) upload.mutate(file);
            target.value = '';
          }}
        />
      </label>
      {upload.isPending && <progress value={progress} aria-label="Upload" />}
    </div>
  );
}

/** Pictures that are uploaded and not published yet. */
export function Attached({
  assets,
  onRemove,
}: {
  assets: readonly Uploaded[];
  onRemove: (assetId: string) => void;
}) {
  return assets.map((asset) => (
    <div key={asset.assetId}>
      <Pictures media={[asset]} of="you" />
      <Button kind="quiet" onClick={() => onRemove(asset.assetId)}>
        Remove the picture
      </Button>
    </div>
  ));
}
