import { constants } from 'node:zlib'
import fastifyCompress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Compresses what is made at the moment; what the build compressed passes as it is. */
export const compressResponses = async (app: FastifyInstance): Promise<void> => {
  await app.register(fastifyCompress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    // A cart or a list of packages in one go, in a tenth of a millisecond: by a stream it takes five times as much.
    syncThreshold: 64 * 1024,
    // The highest quality is for files made once: here it would cost more time than it saves.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    globalDecompression: false,
  })
}
