const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/iu;

/** Whether the host of `url` is this machine itself, to anyone who reads it. False for what is no URL. */
export const isLoopbackUrl = (url: string): boolean => LOOPBACK.test(URL.parse(url)?.hostname ?? '');
