import { deviceChannel } from '#local/transport/worker-messages.ts'

/** The channel to this device's other tabs; a channel does not receive its own messages. */
export const otherTabs = new BroadcastChannel(deviceChannel)
