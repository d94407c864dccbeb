import { deviceChannel } from '#local/transport/worker-messages.ts'

/** The tabs of this device but this one: a channel does not hear what itself says. */
export const otherTabs = new BroadcastChannel(deviceChannel)
