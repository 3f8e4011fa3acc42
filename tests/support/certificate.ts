import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

const DAY_MS = 86_400_000;
const OID = {
  commonName: '550403',
  subjectAltName: '551d11',
  ecdsaWithSha256: '2a8648ce3d040302',
};

/** Creates a self-signed certificate for the host names. */
export function aCertificateFor(names: readonly string[]) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = contentOf(names, publicKey);
  const signature = sign('sha256', content, privateKey);
  const certificate = sequence(content, algorithm(), der(0x03, Buffer.of(0), signature));
  const lines = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function contentOf(names: readonly string[], publicKey: KeyObject): Buffer {
  const name = sequence(der(0x31, sequence(oid(OID.commonName), der(0x0c, Buffer.from('Fake of tests')))));
  const validity = sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS));
  const hosts = names.map((host) => der(0x82, Buffer.from(host)));
  const extensions = sequence(sequence(oid(OID.subjectAltName), der(0x04, sequence(...hosts))));
  return sequence(
    der(0xa0, integer(2)),
    integer(Date.now()),
    algorithm(),
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...head), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function algorithm(): Buffer {
  return sequence(oid(OID.ecdsaWithSha256));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function integer(value: number): Buffer {
  const hex = value.toString(16);
  // A leading set bit would make the DER integer negative.
  return der(
    0x02,
    Buffer.from(`00${hex.padStart(hex.length + (hex.length % 2), '0')}`.replace(/^00(?=[0-7].)/, ''), 'hex'),
  );
}

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}
