// Stands in for the process of built-in AI: the same boot, the same wire, and the ways in which native code fails.
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => {
  const { socket, modelsDir } = JSON.parse(line);
  // The directory's name says how it behaves.
  const behaviour = basename(modelsDir);
  if (behaviour === 'dies') {
    process.stderr.write('the model cannot be loaded\n');
    process.exit(3);
  }
  rmSync(socket, { force: true });
  const hoard = [];
  const server = createServer((request, response) => {
    if (request.url === '/v1/audio/voice-activity') {
      let samples = 0;
      response.flushHeaders();
      request.on('data', (chunk) => {
        const before = samples;
        samples += chunk.length / 2;
        response.write(`{"utterance":[${before},${samples}]}\n`);
        if (behaviour === 'crashes') process.kill(process.pid, 'SIGKILL');
      });
      request.on('end', () => response.end());
      return;
    }
    const answer = (value) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    request.resume().on('end', () => {
      if (request.url === '/v1/models') {
        answer({
          data: [
            { id: 'moonshine-tiny', kind: 'speech-to-text', languages: ['en'], name: 'Moonshine' },
            { id: 'pico-en', kind: 'voice', languages: ['en-GB'], name: 'Pico' },
            { id: 'espeak-zh', kind: 'voice', languages: ['zh'], name: 'eSpeak' },
          ],
        });
      } else if (request.url === '/v1/audio/transcriptions') {
        if (behaviour === 'grows') hoard.push(Buffer.alloc(100 * 1024 * 1024, 1));
        if (behaviour === 'crashes') process.kill(process.pid, 'SIGKILL');
        else if (behaviour === 'crashes-slowly') {
          // Imitates a busy machine, where connections break long before the parent hears of the exit.
          server.close();
          request.socket.destroy();
          setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1600);
        } else if (behaviour !== 'hangs') answer({ text: `heard by ${process.pid}`, language: 'en', duration: 1 });
      } else if (request.url === '/v1/audio/speech') response.end('RIFF....WAVE');
      else response.writeHead(400).end('{"error":{"code":"model_not_found"}}');
    });
  });
  server.listen(socket, () =>
    process.stdout.write(behaviour === 'mute' ? 'hello\n' : '{"level":"info","msg":"ready"}\n'),
  );
  process.on('SIGTERM', () => process.exit(0));
});
lines.on('close', () => process.exit(0));
