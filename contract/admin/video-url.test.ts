import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseVideoUrl } from './video-url.ts';

const youtube = (startSeconds?: number) => ({ provider: 'youtube', id: 'aB3_-xyzQ09', startSeconds });
const vimeo = (hash?: string, startSeconds?: number) => ({ provider: 'vimeo', id: '76543210', hash, startSeconds });

test.each([
  'https://www.youtube.com/watch?v=aB3_-xyzQ09',
  'http://youtube.com/watch?v=aB3_-xyzQ09',
  '  https://www.youtube.com/watch?v=aB3_-xyzQ09\n',
  'https://WWW.YouTube.com/watch?v=aB3_-xyzQ09',
  'https://www.youtube.com/watch/?v=aB3_-xyzQ09&feature=share',
  'https://www.youtube.com/watch?app=desktop&list=PL123&v=aB3_-xyzQ09&index=4',
  'https://m.youtube.com/watch?v=aB3_-xyzQ09',
  'https://music.youtube.com/watch?v=aB3_-xyzQ09&si=abc',
  'https://www.youtube.com/shorts/aB3_-xyzQ09?feature=share',
  'https://www.youtube.com/live/aB3_-xyzQ09',
  'https://www.youtube.com/embed/aB3_-xyzQ09?rel=0',
  'https://www.youtube.com/v/aB3_-xyzQ09',
  'https://www.youtube-nocookie.com/embed/aB3_-xyzQ09/',
  'https://youtu.be/aB3_-xyzQ09?si=HtQ8',
  'youtu.be/aB3_-xyzQ09',
  'www.youtube.com/watch?v=aB3_-xyzQ09',
  '//www.youtube.com/embed/aB3_-xyzQ09',
  '<iframe width="560" height="315" src="https://www.youtube.com/embed/aB3_-xyzQ09?si=Ab&amp;rel=0" title="x" allowfullscreen></iframe>',
  "<iframe src='//www.youtube-nocookie.com/embed/aB3_-xyzQ09'></iframe>",
])('a YouTube video: %s', (text) => {
  expect(parseVideoUrl(text)).toEqual(youtube());
});

test.each([
  ['https://vimeo.com/76543210', undefined],
  ['vimeo.com/76543210?share=copy', undefined],
  ['https://www.vimeo.com/76543210/', undefined],
  ['https://vimeo.com/76543210/ab12cd34ef', 'ab12cd34ef'],
  ['https://vimeo.com/76543210?h=ab12cd34ef', 'ab12cd34ef'],
  ['https://player.vimeo.com/video/76543210', undefined],
  ['https://player.vimeo.com/video/76543210?h=ab12cd34ef&title=0', 'ab12cd34ef'],
  ['https://vimeo.com/channels/staffpicks/76543210', undefined],
  ['https://vimeo.com/groups/harbour/videos/76543210', undefined],
  ['https://vimeo.com/showcase/1234567/video/76543210', undefined],
  ['https://vimeo.com/album/1234567/video/76543210', undefined],
  ['https://vimeo.com/manage/videos/76543210/ab12cd34ef', 'ab12cd34ef'],
  [
    '<div style="padding:56% 0 0 0"><iframe title="Tour" src="https://player.vimeo.com/video/76543210?h=ab12cd34ef&amp;badge=0" allow="autoplay"></iframe></div><script src="https://player.vimeo.com/api/player.js"></script>',
    'ab12cd34ef',
  ],
])('a Vimeo video: %s', (text, hash) => {
  expect(parseVideoUrl(text)).toEqual(vimeo(hash));
});

test.each([
  ['https://youtu.be/aB3_-xyzQ09?t=90', youtube(90)],
  ['https://www.youtube.com/watch?v=aB3_-xyzQ09&t=1h2m3s', youtube(3723)],
  ['https://www.youtube.com/embed/aB3_-xyzQ09?start=12', youtube(12)],
  ['https://youtu.be/aB3_-xyzQ09?t=soon', youtube()],
  ['https://vimeo.com/76543210#t=1m5s', vimeo(undefined, 65)],
])('where it starts: %s', (text, video) => {
  expect(parseVideoUrl(text)).toEqual(video);
});

test.each([
  '',
  'training',
  'https://www.youtube.com/',
  'https://www.youtube.com/watch?v=short',
  'https://www.youtube.com/watch?v=aB3_-xyzQ09x',
  'https://www.youtube.com/watch?v=aB3_-xyz%2F..',
  'https://www.youtube.com/@harbour',
  'https://www.youtube.com/playlist?list=PL1234567890',
  'https://www.youtube.com/embed/videoseries?list=PL1234567890',
  'https://www.youtube.com/embed/live_stream?channel=UC1',
  'https://youtu.be/aB3_-xyzQ09/more',
  'https://youtube.com.evil.example/watch?v=aB3_-xyzQ09',
  'https://evilyoutube.com/watch?v=aB3_-xyzQ09',
  'https://youtube.com@evil.example/watch?v=aB3_-xyzQ09',
  'https://www.youtube.com:pass@www.youtube.com/watch?v=aB3_-xyzQ09',
  'https://evil.example/https://www.youtube.com/watch?v=aB3_-xyzQ09',
  'https://evil.example/?u=https://youtu.be/aB3_-xyzQ09',
  'https://www.youtube.com:8443/watch?v=aB3_-xyzQ09',
  'https://yоutube.com/watch?v=aB3_-xyzQ09', // a Cyrillic o
  'javascript:alert(1)//www.youtube.com/watch?v=aB3_-xyzQ09',
  'ftp://www.youtube.com/watch?v=aB3_-xyzQ09',
  'data:text/html,https://youtu.be/aB3_-xyzQ09',
  '<script src="https://www.youtube.com/embed/aB3_-xyzQ09"></script>',
  '<iframe src="https://evil.example/embed/aB3_-xyzQ09"></iframe>',
  '<iframe data-src="https://www.youtube.com/embed/aB3_-xyzQ09"></iframe>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe></iframe>',
  'https://vimeo.com/',
  'https://vimeo.com/watch',
  'https://vimeo.com/76543210/settings',
  'https://vimeo.com/showcase/1234567',
  'https://player.vimeo.com/video/76543210?h=%22%3E',
  'https://vimeo.com.evil.example/76543210',
  'https://vimeo.com/76543210abc',
])('refused: %s', (text) => {
  expect(parseVideoUrl(text)).toBeUndefined();
});

describe('whatever is entered', () => {
  const id = fc.stringMatching(/^[\w-]{11}$/).filter((text) => text !== 'videoseries' && text !== 'live_stream');
  const shape = fc.constantFrom(
    (host: string, video: string) => `https://${host}/watch?v=${video}`,
    (host: string, video: string) => `http://${host}/embed/${video}?rel=0`,
    (host: string, video: string) => `${host}/shorts/${video}`,
    (host: string, video: string) => `<iframe src="https://${host}/embed/${video}"></iframe>`,
  );

  test('every id is found in every form', () => {
    const host = fc.constantFrom('youtube.com', 'www.youtube.com', 'm.youtube.com', 'www.youtube-nocookie.com');
    fc.assert(
      fc.property(id, shape, host, (video, write, at) => {
        expect(parseVideoUrl(write(at, video))).toMatchObject({ provider: 'youtube', id: video });
      }),
    );
  });

  test('no other host is taken', () => {
    const look = fc.constantFrom('youtube.com', 'www.youtube.com', 'vimeo.com', '');
    fc.assert(
      fc.property(id, shape, fc.domain(), look, (video, write, domain, before) => {
        expect(parseVideoUrl(write(before ? `${before}.${domain}` : domain, video))).toBeUndefined();
      }),
    );
  });

  test('what is found fits into an address as it is', () => {
    const pieces = fc.constantFrom(
      'https://',
      'www.',
      'youtube.com',
      'youtu.be',
      'vimeo.com',
      '/',
      '/embed/',
      '?v=',
      '&h=',
      '"',
      '<iframe src="',
      'aB3_-xyzQ09',
      '7654321',
      '%00',
      '#t=9',
    );
    const text = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (entered) => {
        const video = parseVideoUrl(entered);
        if (!video) return;
        expect(video.id).toMatch(/^[\w-]+$/);
        if (video.provider === 'vimeo' && video.hash !== undefined) expect(video.hash).toMatch(/^[\da-f]+$/i);
      }),
      { numRuns: 2000 },
    );
  });
});
