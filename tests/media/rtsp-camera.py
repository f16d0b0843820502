# A camera: GStreamer's RTSP server with a film that it sends to whoever knows the password, as its picture alone (/picture), with
# its sound (/both), or with sound as telephones have it (/phone).
# Arguments: user, password, film, film with the sound of a telephone. Prints its port, and ends with its standard input.
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer

Gst.init(None)
user, password, film, phone_film = sys.argv[1:5]
role = "viewer"


def mount(path, pipeline):
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(pipeline)
    permissions = GstRtspServer.RTSPPermissions.new()
    permissions.add_role(role)
    for permission in (
        GstRtspServer.RTSP_PERM_MEDIA_FACTORY_ACCESS,
        GstRtspServer.RTSP_PERM_MEDIA_FACTORY_CONSTRUCT,
    ):
        permissions.add_permission_for_role(role, permission, True)
    factory.set_permissions(permissions)
    server.get_mount_points().add_factory(path, factory)


server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service("0")
auth = GstRtspServer.RTSPAuth()
auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
token = GstRtspServer.RTSPToken.new()
token.set_string(GstRtspServer.RTSP_TOKEN_MEDIA_FACTORY_ROLE, role)
auth.add_digest(user, password, token)
server.set_auth(auth)

source = "filesrc location={} ! qtdemux name=film"
picture = "film.video_0 ! queue ! rtph264pay name=pay0 pt=96"
mount("/picture", "( {} {} )".format(source.format(film), picture))
mount("/both", "( {} {} film.audio_0 ! queue ! rtpmp4gpay name=pay1 pt=97 )".format(source.format(film), picture))
mount("/phone", "( {} {} film.audio_0 ! queue ! rtppcmupay name=pay1 )".format(source.format(phone_film), picture))
server.attach(None)

loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, lambda *_: loop.quit())
print(server.get_bound_port(), flush=True)
loop.run()
