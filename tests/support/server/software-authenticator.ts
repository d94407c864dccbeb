import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Assertion, NewCredential } from '#contract/system/two-factor.ts'

const hashOf = (content: string | Uint8Array): Buffer => createHash('sha256').update(content).digest()
const base64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

// The flags of authenticator data: user present, user verified, attested credential included.
const flags = { present: 0x01, verified: 0x04, attested: 0x40 } as const

type Options = { challenge: string; rp?: { id?: string }; rpId?: string; user?: { id: string } }

/** An authenticator with one passkey on the curve P-256. `isUserVerified` and `origin` can be changed between uses. */
export const softwareAuthenticator = (origin = 'https://fieldproof.test') => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const state = { origin, isUserVerified: true, signCount: 0, rpId: new URL(origin).hostname }

  const clientData = (type: 'webauthn.create' | 'webauthn.get', { challenge }: Options): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: state.origin, crossOrigin: false }))

  const authenticatorData = (attested?: Uint8Array): Buffer => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(state.signCount)
    const flag = flags.present | (state.isUserVerified ? flags.verified : 0) | (attested ? flags.attested : 0)
    return Buffer.concat([hashOf(state.rpId), Buffer.from([flag]), count, attested ?? Buffer.alloc(0)])
  }

  const attestedCredential = (): Buffer => {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    // COSE: key type EC2, algorithm ES256, curve P-256, and both coordinates.
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    return Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key)])
  }

  const credential = { id: base64Url(id), rawId: base64Url(id), type: 'public-key' } as const

  return {
    state,
    create: (options: Options): NewCredential => {
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', Uint8Array.from(authenticatorData(attestedCredential()))],
      ])
      return {
        ...credential,
        response: {
          clientDataJSON: base64Url(clientData('webauthn.create', options)),
          attestationObject: base64Url(isoCBOR.encode(attestation as never)), // its type does not know nested maps
          transports: ['internal'],
        },
      }
    },
    get: (options: Options): Assertion => {
      state.signCount += 1
      const data = authenticatorData()
      const client = clientData('webauthn.get', options)
      const signature = sign('sha256', Buffer.concat([data, hashOf(client)]), privateKey)
      return {
        ...credential,
        response: {
          clientDataJSON: base64Url(client),
          authenticatorData: base64Url(data),
          signature: base64Url(signature),
        },
      }
    },
  }
}
